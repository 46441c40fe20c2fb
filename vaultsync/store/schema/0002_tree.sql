-- The memory tree: sources, summaries over leaves, entities and reads.

-- A tree a source and privacy: `folder` is the source's, '' the root source's. `changes` counts what happened to its
-- leaves; where `tended` is less, there may be something to seal, to make again or to mend.
CREATE TABLE trees (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    uid          TEXT    NOT NULL UNIQUE,
    folder       TEXT    NOT NULL,
    private      INTEGER NOT NULL CHECK (private IN (0, 1)),
    next_ordinal INTEGER NOT NULL DEFAULT 1,        -- above every one ever given
    changes      INTEGER NOT NULL DEFAULT 1,
    tended       INTEGER NOT NULL DEFAULT 0,
    UNIQUE (folder, private)
) STRICT;

-- What a chunk of kind 'summary' is besides. Its node has the same uid and no row in files; its chunk has text, level,
-- parent and, as seq, the ordinal.
CREATE TABLE summaries (
    chunk_id     INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    tree_id      INTEGER NOT NULL REFERENCES trees (id),
    ordinal      INTEGER NOT NULL,
    shelf        TEXT    NOT NULL,
    state        TEXT    NOT NULL CHECK (state IN ('open', 'sealed')),
    input_digest TEXT    NOT NULL,                  -- of what it was made from, '' for what is to be made again
    generator    TEXT    NOT NULL,
    fallback     TEXT,                              -- why it has no text of the model, in words
    pinned       INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    withdrawn    INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)), -- quotes what is to be seen no more
    path         TEXT    UNIQUE,                    -- of its note in the vault; NULL: it has none yet, or ever
    written_hash TEXT,                              -- of the note's bytes as we last wrote or took them, in hex
    said         TEXT,                              -- hash of what its note says; NULL: not known
    missing      TEXT    CHECK (missing IN ('absent', 'deleted')), -- its note went with git; a person deleted it
    UNIQUE (tree_id, ordinal)
) STRICT;

-- Texts by what they were made from: a branch switched back, or an index made anew, asks no model again.
CREATE TABLE summary_cache (
    input_digest TEXT    NOT NULL,
    generator    TEXT    NOT NULL,
    text         TEXT    NOT NULL,
    made_at      INTEGER NOT NULL,
    PRIMARY KEY (input_digest, generator)
) STRICT, WITHOUT ROWID;

CREATE INDEX chunks_tree ON chunks (tree_id, seq) WHERE tree_id IS NOT NULL;
CREATE INDEX chunks_loose ON chunks (tree_id) WHERE tree_id IS NOT NULL AND parent_id IS NULL AND kind = 'leaf'; -- few
CREATE INDEX chunks_pending ON chunks (node_id) WHERE status IS NULL AND kind = 'leaf';
CREATE INDEX chunks_first ON chunks (node_id, tree_id, status) WHERE chunk_idx = 0 AND kind = 'leaf'; -- says it of all
CREATE INDEX chunks_unplaced ON chunks (node_id) WHERE tree_id IS NULL AND kind = 'leaf';

-- What is mentioned, in one form of all spellings. It is found by the hash of kind and form, 24 bits: an index of whole
-- addresses would weigh as much as the table.
CREATE TABLE entities (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    hash      INTEGER NOT NULL,
    kind      TEXT    NOT NULL,
    canonical TEXT    NOT NULL
) STRICT;
CREATE INDEX entities_hash ON entities (hash);

-- Where: a row for each leaf and entity, since many a leaf has a name three times.
CREATE TABLE mentions (
    chunk_id  INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    entity_id INTEGER NOT NULL REFERENCES entities (id),
    spans     TEXT    NOT NULL,                     -- 'start+length start+length ...', in characters of the leaf's text
    score     INTEGER NOT NULL,                     -- in hundredths; the best of them
    by_model  INTEGER NOT NULL DEFAULT 0 CHECK (by_model IN (0, 1)),
    PRIMARY KEY (chunk_id, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_entity ON mentions (entity_id);

-- Leaves whose text a model was asked about, and which.
CREATE TABLE named (
    chunk_id  INTEGER PRIMARY KEY REFERENCES chunks (id) ON DELETE CASCADE,
    generator TEXT    NOT NULL
) STRICT;

-- Each as what it is one with: a name, link or handle that a note's file goes by is that note, else one that is an alias
-- of notes of one name. A view, so that a note that gains or loses an alias changes no mention.
CREATE VIEW entity AS
SELECT id, iif(note IS NULL, kind, 'link') AS kind, coalesce(note, canonical) AS canonical
FROM (SELECT e.id, e.kind, e.canonical, iif(e.kind IN ('name', 'link', 'handle'), coalesce(
          (SELECT n.key FROM names n JOIN nodes d ON d.id = n.node_id
           WHERE n.key = e.canonical AND n.is_alias = 0 AND d.deleted_at IS NULL LIMIT 1),
          (SELECT min(own.key)
           FROM names n JOIN nodes d ON d.id = n.node_id JOIN names own ON own.node_id = d.id AND own.is_alias = 0
           WHERE n.key = e.canonical AND n.is_alias = 1 AND d.deleted_at IS NULL
           HAVING count(DISTINCT own.key) = 1)), NULL) AS note
      FROM entities e);

-- How often a node was read on a day (days since 1970, UTC).
CREATE TABLE touches (
    node_id INTEGER NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    day     INTEGER NOT NULL,
    reads   INTEGER NOT NULL,
    PRIMARY KEY (node_id, day)
) STRICT, WITHOUT ROWID;

-- What a template says is summed up once it is a note, and a note's no more once it is a template.
CREATE TRIGGER roles_changed AFTER UPDATE OF role ON files WHEN OLD.role <> NEW.role BEGIN
    UPDATE chunks SET status = NULL WHERE node_id = NEW.node_id AND kind = 'leaf';
END;

-- What happens to a placed leaf is news for its tree; of those that come, store/places tells it once for all.
-- Steps of the tree itself change a leaf's parent alone.
CREATE TRIGGER leaves_changed AFTER UPDATE OF status, text_hash, tree_id, node_id, seq, chunk_idx ON chunks
WHEN OLD.kind = 'leaf' AND OLD.tree_id IS NOT NULL
 AND (OLD.status, OLD.text_hash, OLD.tree_id, OLD.node_id, OLD.seq, OLD.chunk_idx)
     IS NOT (NEW.status, NEW.text_hash, NEW.tree_id, NEW.node_id, NEW.seq, NEW.chunk_idx) BEGIN
    UPDATE trees SET changes = changes + 1 WHERE id = OLD.tree_id;
END;

CREATE TRIGGER leaves_deleted AFTER DELETE ON chunks WHEN OLD.kind = 'leaf' AND OLD.tree_id IS NOT NULL BEGIN
    UPDATE trees SET changes = changes + 1 WHERE id = OLD.tree_id;
END;

CREATE TRIGGER notes_buried_or_returned AFTER UPDATE OF deleted_at ON nodes
WHEN NEW.kind = 'note' AND (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
    UPDATE trees SET changes = changes + 1 WHERE id IN (SELECT tree_id FROM chunks WHERE node_id = NEW.id);
END;

-- Every summary with all that is known of it.
CREATE VIEW summary AS
SELECT n.id AS node_id, n.uid, n.title, s.chunk_id, s.tree_id, t.uid AS tree_uid, t.folder, t.private, s.ordinal,
       c.level, s.shelf, s.state, s.input_digest, s.generator, s.fallback, s.pinned, s.withdrawn, s.path, s.written_hash,
       s.said, s.missing, c.text, lower(hex(c.text_hash)) AS text_hash, c.token_count, c.arrived_at, c.parent_id,
       p.ordinal AS parent
FROM summaries s JOIN chunks c ON c.id = s.chunk_id JOIN nodes n ON n.id = c.node_id JOIN trees t ON t.id = s.tree_id
LEFT JOIN summaries p ON p.chunk_id = c.parent_id;
