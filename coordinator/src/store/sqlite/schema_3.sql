-- What a run of a beam from the start to the end costs, in expansions; 0 is not known.
ALTER TABLE arms ADD COLUMN run_cost INTEGER NOT NULL DEFAULT 0;
