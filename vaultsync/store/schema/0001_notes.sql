-- Notes, their files, chunks and links, and full-text search over them.
--
-- Conventions: times are whole seconds since 1970 (UTC) unless the name says _ns; flags are 0 or 1; hashes are
-- BLAKE2b-128, 16 bytes, which hex(...) shows; lists and mappings are JSON. Ids are AUTOINCREMENT, because a reused
-- id would inherit what other tables still hold for the old one; everything public is a uid. What a usual row would
-- say once more is NULL: chunks and links are many, and would weigh as much as the text.

-- What the stages were set to when they made something (parser and chunker versions, limits): a row a setting.
CREATE TABLE profile (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    stage     TEXT NOT NULL,
    signature TEXT NOT NULL,
    UNIQUE (stage, signature)
) STRICT;

-- The uids of swept tombstones, which are never given again.
CREATE TABLE swept (
    uid TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Things with an identity: notes and summaries. A tombstone (deleted_at) keeps its chunks and edges,
-- which count for nothing, so that the same note can come back. What every query asks for stands first: a long row
-- goes on in other pages.
CREATE TABLE nodes (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    uid            TEXT    NOT NULL UNIQUE,
    kind           TEXT    NOT NULL CHECK (kind IN ('note', 'summary')),
    deleted_at     INTEGER,
    created_at     REAL    NOT NULL,              -- first seen: when that pass began, so that two passes differ
    updated_at     INTEGER NOT NULL,              -- the file's mtime when its content last changed
    title          TEXT    NOT NULL,
    description    TEXT    NOT NULL DEFAULT '',
    aliases        TEXT    NOT NULL DEFAULT '[]',
    tags           TEXT    NOT NULL DEFAULT '[]',
    metadata       TEXT    NOT NULL DEFAULT '{}', -- the frontmatter
    written        TEXT    NOT NULL DEFAULT '{}', -- key path -> a value as written, where JSON would show another
    property_text  TEXT    NOT NULL DEFAULT '',   -- the frontmatter's values, for search
    event_date     TEXT,                          -- YYYY-MM-DD
    private        INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)), -- the note says so; its place: files.withheld
    embedding_text TEXT
) STRICT;
CREATE INDEX nodes_deleted ON nodes (deleted_at) WHERE deleted_at IS NOT NULL;

-- The file behind a note. A file whose note asks to be left out (ignored) is remembered, so that it is not read
-- again; it has a node only if it was a note before.
CREATE TABLE files (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    node_id      INTEGER UNIQUE REFERENCES nodes (id) ON DELETE CASCADE,
    path         TEXT    NOT NULL UNIQUE,          -- below the vault, '/' between parts, spelled as on the disk;
                                                   -- with NUL and the id behind it: a tombstone, whose path another has
    size         INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,
    ctime_ns     INTEGER NOT NULL,
    inode        INTEGER NOT NULL,
    device       INTEGER NOT NULL,
    racy         INTEGER NOT NULL DEFAULT 0 CHECK (racy IN (0, 1)), -- as young as the scan that read it: read again
    content_hash BLOB    NOT NULL DEFAULT x'',
    encoding     TEXT    NOT NULL DEFAULT 'utf-8',
    role         TEXT    NOT NULL CHECK (role IN ('note', 'template', 'aside')),
    withheld     TEXT,                             -- private because of its place: 'glob' or 'gitignored'
    held         TEXT,                             -- why what is stored may be older than the disk
    ignored      INTEGER NOT NULL DEFAULT 0 CHECK (ignored IN (0, 1)),
    ours         TEXT,                             -- ignored, since it is the note of the summary with this short id
    profile_id   INTEGER REFERENCES profile (id),
    problems     TEXT    NOT NULL DEFAULT '[]',    -- [[code, message, line], ...]
    headings     TEXT    NOT NULL DEFAULT '[]',    -- [[text, level, start, end], ...]
    block_ids    TEXT    NOT NULL DEFAULT '[]'     -- [[id, start, end], ...]
) STRICT;

-- Pieces of text: leaves tile a note's body; summaries stand above them through parent_id.
CREATE TABLE chunks (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    uid            TEXT    NOT NULL UNIQUE,
    node_id        INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    tree_id        INTEGER,                        -- in trees
    parent_id      INTEGER REFERENCES chunks (id) ON DELETE SET NULL,
    chunk_idx      INTEGER NOT NULL,
    kind           TEXT    NOT NULL DEFAULT 'leaf' CHECK (kind IN ('leaf', 'summary')),
    level          INTEGER NOT NULL DEFAULT 0,
    status         TEXT    CHECK (status IN ('admitted', 'dropped')), -- NULL: pending_extraction
    searchable     INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)), -- 0: drawing data, kanban settings
    text_hash      BLOB    NOT NULL,               -- of the text with LF line ends
    embedding_hash BLOB    NOT NULL,               -- of heading path and text
    arrived_at     INTEGER,                        -- when it joined its tree
    token_count    INTEGER NOT NULL,
    heading_path   TEXT    NOT NULL,
    block_id       TEXT,
    seq            INTEGER,                        -- its order in the tree
    metadata       TEXT,
    text           TEXT    NOT NULL
) STRICT;
CREATE INDEX chunks_node ON chunks (node_id, chunk_idx);
CREATE INDEX chunks_parent ON chunks (parent_id) WHERE parent_id IS NOT NULL;

-- Where a leaf's text stands: bytes [start, end) of a file. A moved note changes its row in files, none here.
CREATE TABLE raw_refs (
    chunk_id INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    file_id  INTEGER NOT NULL,                     -- in files; goes with its note, whose chunks take their rows along
    start    INTEGER NOT NULL,
    "end"    INTEGER NOT NULL CHECK ("end" > start),
    PRIMARY KEY (chunk_id, start)
) STRICT, WITHOUT ROWID;

-- The names by which links find a note: its file name and its aliases, as keys (NFC, case folded).
CREATE TABLE names (
    key      TEXT    NOT NULL,
    node_id  INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    is_alias INTEGER NOT NULL CHECK (is_alias IN (0, 1)),
    PRIMARY KEY (key, node_id, is_alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX names_node ON names (node_id);

-- Links, and later the stated edges. due = 1: to be resolved (again), because the link is new or a name
-- that it may mean came, went or moved.
CREATE TABLE edges (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    from_node_id INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    to_node_id   INTEGER REFERENCES nodes (id) ON DELETE SET NULL, -- NULL: unresolved
    last_node_id INTEGER REFERENCES nodes (id) ON DELETE SET NULL, -- where it pointed before it broke
    kind         TEXT    NOT NULL CHECK (kind IN ('wikilink', 'embed', 'markdown', 'property', 'stated')),
    target       TEXT    NOT NULL,                 -- as written
    link         TEXT,                             -- decoded, without display text; NULL: what a wikilink's target says
    target_hash  INTEGER,                          -- of the key in names, 48 bits; NULL: a link into its own note
    match        TEXT    CHECK (match IN ('path', 'name', 'alias', 'relative')),
    due          INTEGER NOT NULL DEFAULT 1 CHECK (due IN (0, 1)),
    start        INTEGER NOT NULL,
    "end"        INTEGER NOT NULL,
    explanation  TEXT,                             -- why, if somebody states it; NULL: the sentence around it,
                                                   -- which the view link_places leads to
    context      TEXT,                             -- text (if another than the target shows), key (property)
    source       TEXT                              -- who states it; NULL: its note
) STRICT;
CREATE INDEX edges_from ON edges (from_node_id);
CREATE INDEX edges_to ON edges (to_node_id) WHERE to_node_id IS NOT NULL;
CREATE INDEX edges_last ON edges (last_node_id) WHERE last_node_id IS NOT NULL;
CREATE INDEX edges_target ON edges (target_hash) WHERE target_hash IS NOT NULL;
CREATE INDEX edges_due ON edges (id) WHERE due = 1;

-- Work that failed and when it is tried again.
CREATE TABLE attempts (
    stage           TEXT    NOT NULL,
    subject         TEXT    NOT NULL,
    count           INTEGER NOT NULL,
    next_attempt_at INTEGER,                       -- NULL: waits for a change
    last_error      TEXT    NOT NULL,
    PRIMARY KEY (stage, subject)
) STRICT, WITHOUT ROWID;

-- Lines of the vault's ledger that this machine wrote or has seen to: what the file says and this does not is news.
CREATE TABLE ledger (
    uid  TEXT NOT NULL,
    path TEXT NOT NULL,                            -- in NFC
    PRIMARY KEY (uid, path)
) STRICT, WITHOUT ROWID;

-- Small facts that one pass leaves to the next, by name.
CREATE TABLE marks (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a reader sees: living nodes with their file, and what can be derived of them.
CREATE VIEW node AS
SELECT n.id, n.uid, n.kind, n.title, n.description, n.aliases, n.tags, n.metadata, n.written, n.event_date,
       n.created_at, n.updated_at, f.id AS file_id, f.path, lower(hex(f.content_hash)) AS content_hash, f.encoding,
       f.role, f.held, f.problems, f.headings, f.block_ids,
       n.private OR f.withheld IS NOT NULL AS private,
       CASE WHEN EXISTS (SELECT 1 FROM chunks c WHERE c.node_id = n.id) THEN 'chunked' ELSE 'empty' END AS chunk_status
FROM nodes n JOIN files f ON f.node_id = n.id
WHERE n.deleted_at IS NULL;

CREATE VIEW raw_refs_by_path AS
SELECT c.uid AS chunk_uid, f.path, r.start, r."end"
FROM raw_refs r JOIN chunks c ON c.id = r.chunk_id JOIN files f ON f.id = r.file_id
JOIN nodes n ON n.id = c.node_id
WHERE n.deleted_at IS NULL;

-- What stands around a link: the chunk that holds it, its headings, and the byte of the chunk where the link
-- begins. A property's link stands in no chunk.
CREATE VIEW link_places AS
SELECT e.id AS edge_id, c.heading_path, c.text, e.start - r.start AS start
FROM edges e JOIN chunks c ON c.node_id = e.from_node_id JOIN raw_refs r ON r.chunk_id = c.id
WHERE r.start <= e.start AND e.start < r."end";

-- Full text. The content of each index is a view of exactly what may be found, so that FTS5's own integrity
-- check and rebuild speak of the same rows. New rows are added by store/text_index, a batch in one statement:
-- a trigger for each would make FTS5 flush at each (measured: 1.2 ms a note against 0.5 ms). Changes and
-- removals, which are few, are kept right by triggers.
CREATE VIEW nodes_searchable AS
SELECT id, title, aliases, tags, description, property_text FROM nodes WHERE deleted_at IS NULL;

CREATE VIEW chunks_searchable AS
SELECT c.id, c.heading_path, c.text
FROM chunks c JOIN nodes n ON n.id = c.node_id
WHERE n.deleted_at IS NULL AND c.searchable = 1;

CREATE VIRTUAL TABLE nodes_fts USING fts5 (
    title, aliases, tags, description, property_text,
    content = 'nodes_searchable', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
-- The longest column stands first: FTS5 spends two bytes more on each word of a chunk in any other.
CREATE VIRTUAL TABLE chunks_fts USING fts5 (
    text, heading_path,
    content = 'chunks_searchable', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);

-- Text in scripts that put no space between words, with a space around each such character: there, words of any
-- length are found as phrases. Written by store/text_index; a row exists only where there is such text.
CREATE VIRTUAL TABLE nodes_spaced USING fts5 (
    title, aliases, tags, description, property_text,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE chunks_spaced USING fts5 (
    text, heading_path,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- Terms that FTS5 gathers before it writes them, in bytes: a batch of notes in one go (it has 1 MB by default), which
-- spares it merges; a first sync takes a tenth less time. Four times the usual segments before they are merged: as much
-- again, for which a search looks into a dozen more.
INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('hashsize', 16777216);
INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('automerge', 16);

CREATE TRIGGER nodes_changed AFTER UPDATE OF title, aliases, tags, description, property_text ON nodes
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL
 AND (OLD.title, OLD.aliases, OLD.tags, OLD.description, OLD.property_text)
     IS NOT (NEW.title, NEW.aliases, NEW.tags, NEW.description, NEW.property_text) BEGIN
    INSERT INTO nodes_fts (nodes_fts, rowid, title, aliases, tags, description, property_text)
    VALUES ('delete', OLD.id, OLD.title, OLD.aliases, OLD.tags, OLD.description, OLD.property_text);
    INSERT INTO nodes_fts (rowid, title, aliases, tags, description, property_text)
    VALUES (NEW.id, NEW.title, NEW.aliases, NEW.tags, NEW.description, NEW.property_text);
END;

-- A tombstone leaves the indexes at once, with its chunks ...
CREATE TRIGGER nodes_buried AFTER UPDATE OF deleted_at ON nodes
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
    INSERT INTO nodes_fts (nodes_fts, rowid, title, aliases, tags, description, property_text)
    VALUES ('delete', OLD.id, OLD.title, OLD.aliases, OLD.tags, OLD.description, OLD.property_text);
    INSERT INTO chunks_fts (chunks_fts, rowid, heading_path, text)
    SELECT 'delete', id, heading_path, text FROM chunks WHERE node_id = OLD.id AND searchable = 1;
    DELETE FROM nodes_spaced WHERE rowid = OLD.id;
    DELETE FROM chunks_spaced WHERE rowid IN (SELECT id FROM chunks WHERE node_id = OLD.id);
END;

-- ... and comes back with them.
CREATE TRIGGER nodes_returned AFTER UPDATE OF deleted_at ON nodes
WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    INSERT INTO nodes_fts (rowid, title, aliases, tags, description, property_text)
    VALUES (NEW.id, NEW.title, NEW.aliases, NEW.tags, NEW.description, NEW.property_text);
    INSERT INTO chunks_fts (rowid, heading_path, text)
    SELECT id, heading_path, text FROM chunks WHERE node_id = NEW.id AND searchable = 1;
END;

-- Only a tombstone may be swept: a living node's text would stay behind in the indexes.
CREATE TRIGGER nodes_swept BEFORE DELETE ON nodes WHEN OLD.deleted_at IS NULL BEGIN
    SELECT RAISE (ABORT, 'a living node is never deleted: bury it first');
END;

CREATE TRIGGER chunks_changed AFTER UPDATE OF heading_path, text, searchable ON chunks
WHEN (OLD.heading_path, OLD.text, OLD.searchable) IS NOT (NEW.heading_path, NEW.text, NEW.searchable)
 AND EXISTS (SELECT 1 FROM nodes WHERE id = NEW.node_id AND deleted_at IS NULL) BEGIN
    INSERT INTO chunks_fts (chunks_fts, rowid, heading_path, text)
    SELECT 'delete', OLD.id, OLD.heading_path, OLD.text WHERE OLD.searchable = 1;
    INSERT INTO chunks_fts (rowid, heading_path, text)
    SELECT NEW.id, NEW.heading_path, NEW.text WHERE NEW.searchable = 1;
END;

-- When a swept tombstone takes its chunks with it, they have left the index before: hence the EXISTS.
CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks
WHEN OLD.searchable = 1 AND EXISTS (SELECT 1 FROM nodes WHERE id = OLD.node_id AND deleted_at IS NULL) BEGIN
    INSERT INTO chunks_fts (chunks_fts, rowid, heading_path, text)
    VALUES ('delete', OLD.id, OLD.heading_path, OLD.text);
    DELETE FROM chunks_spaced WHERE rowid = OLD.id;
END;
