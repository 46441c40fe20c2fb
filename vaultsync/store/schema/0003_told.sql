-- Whether generated notes say what the store does, a tree at a time.

-- `news` counts what happened to a tree besides `changes`; `told`: what both were together when its generated notes were
-- made to say all of it, -1 where that is not known.
ALTER TABLE trees ADD COLUMN news INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trees ADD COLUMN told INTEGER NOT NULL DEFAULT -1;

CREATE TRIGGER notes_called_otherwise AFTER UPDATE OF title, event_date ON nodes
WHEN NEW.kind = 'note' AND (OLD.title, OLD.event_date) IS NOT (NEW.title, NEW.event_date) BEGIN
    UPDATE trees SET news = news + 1 WHERE id IN (SELECT tree_id FROM chunks WHERE node_id = NEW.id);
END;

CREATE TRIGGER notes_moved AFTER UPDATE OF path, node_id ON files
WHEN (OLD.path, OLD.node_id) IS NOT (NEW.path, NEW.node_id) BEGIN
    UPDATE trees SET news = news + 1
    WHERE id IN (SELECT tree_id FROM chunks WHERE node_id IN (OLD.node_id, NEW.node_id));
END;

CREATE TRIGGER members_changed AFTER UPDATE OF parent_id, level, text_hash ON chunks
WHEN OLD.tree_id IS NOT NULL
 AND (OLD.parent_id, OLD.level, OLD.text_hash) IS NOT (NEW.parent_id, NEW.level, NEW.text_hash) BEGIN
    UPDATE trees SET news = news + 1 WHERE id = OLD.tree_id;
END;

CREATE TRIGGER summaries_come AFTER INSERT ON summaries BEGIN
    UPDATE trees SET news = news + 1 WHERE id = NEW.tree_id;
END;

CREATE TRIGGER summaries_gone AFTER DELETE ON summaries BEGIN
    UPDATE trees SET news = news + 1 WHERE id = OLD.tree_id;
END;

CREATE TRIGGER summaries_changed
AFTER UPDATE OF shelf, state, input_digest, generator, pinned, withdrawn, missing ON summaries
WHEN (OLD.shelf, OLD.state, OLD.input_digest, OLD.generator, OLD.pinned, OLD.withdrawn, OLD.missing)
     IS NOT (NEW.shelf, NEW.state, NEW.input_digest, NEW.generator, NEW.pinned, NEW.withdrawn, NEW.missing) BEGIN
    UPDATE trees SET news = news + 1 WHERE id = NEW.tree_id;
END;

CREATE TRIGGER trees_called_otherwise AFTER UPDATE OF uid, folder ON trees
WHEN (OLD.uid, OLD.folder) IS NOT (NEW.uid, NEW.folder) BEGIN
    UPDATE trees SET news = news + 1 WHERE id = NEW.id;
END;
