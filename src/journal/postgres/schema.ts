import { APPEND_MANY, APPEND_ONE, CREATE_RUN, TREE_OF } from './write-functions.ts';
import { LIVENESS, RESERVE, TAKE_LEASE } from './lease-functions.ts';

/** What the schema `troupe` is made of. A change that another version of Troupe would misread gets the next number. */
export const POSTGRES_FORMAT = 6;

/** Older servers lack what the functions use. */
export const OLDEST_SERVER = 15;

/** Runs that have something to do, as an index finds them: not those of which everything below waits for a person. */
export const AT_WORK = `status = 'running' and (more is null or more not like '%"isWaitingBelow":true%')`;

/** The last record of a run up to a commit number, which never falls along a run: searched from the end, where it mostly is. */
const SEQ_AT = `
  create function troupe.seq_at(p_run bigint, p_commit bigint) returns integer language plpgsql stable as $$
  declare
    low integer := 0;
    high integer := (select seq from troupe.runs where number = p_run);
    step integer := 1;
    middle integer;
    r record;
  begin
    while low < high loop
      middle := greatest((low + high + 1) / 2, high + 1 - step);
      select seq, commit, minus into r from troupe.records where run = p_run and seq >= middle order by seq limit 1;
      -- A wrong number would hide records.
      if (r.minus = -r.commit) is not true then
        raise data_corrupted using message = format('record %s of run number %s is damaged', middle, p_run);
      end if;
      if r.commit <= p_commit then low := r.seq; else high := middle - 1; end if;
      step := least(8 * step, 1000000);
    end loop;
    return low;
  end $$;
`;

/**
 * Texts from outside are kept as JSON, which PostgreSQL's `text` can hold whatever they are made of; names of runs without its
 * quotation marks (see `stored-text.ts`). `jsonb` would refuse some of them and reorder keys.
 * No index has a column that most appends change, so that the row of a run is updated in place.
 */
export const POSTGRES_SCHEMA = `
  create schema troupe;

  create table troupe.meta (key text primary key, value text not null);

  -- Drawn before the row is written: a run that is the first of its tree names itself.
  create sequence troupe.run_numbers;

  create table troupe.runs (
    number     bigint primary key,
    tree       bigint not null,                -- number of the run that was created first in the tree
    counter    bigint not null,                -- newest commit number of the tree, in the row of that run
    updated_at double precision not null,
    seq        integer not null,               -- newest record
    epoch      integer not null,               -- newest lease
    tip        text not null,                  -- hash of its row
    status     text not null,
    outcome    text,
    more       text,                           -- what else RunSummary has, as JSON
    worker     text,                           -- who holds the lease
    owner      text,
    run        text collate "C" not null unique,
    parent     text collate "C",
    fork_of    text collate "C",
    header     text not null,                  -- NewRun as JSON
    header_sum bigint not null
  ) with (fillfactor = 50);
  create index runs_of_tree on troupe.runs (tree, number);
  create index runs_below on troupe.runs (parent, number) where parent is not null;
  create index roots on troupe.runs (number) where parent is null;
  create index at_work on troupe.runs (number) where ${AT_WORK};
  create index held_by on troupe.runs (worker) where worker is not null;
  create index forks_of on troupe.runs (fork_of, number) where fork_of is not null;

  -- Records that were written together are one row: half the rows and index entries, and no array to take apart.
  create table troupe.records (
    run    bigint not null,
    seq    integer not null,                   -- of the last of them
    tree   bigint,                             -- null for records of the tree's first run, which are found by that run
    commit bigint not null,
    body   text not null,                      -- a line each: when, and the fact as JSON or where it lies in bodies
    hash   text not null,                      -- chained over the run's rows
    minus  bigint not null,                    -- the commit number negated: shows damage, as it is no part of the chain
    primary key (run, seq)
  );
  create index records_of_tree on troupe.records (tree, commit) where tree is not null;

  create table troupe.bodies (hash text collate "C" primary key, body text not null);

  -- A consumed message leaves its id, so that it is not taken again.
  create table troupe.inbox (
    number   bigint generated always as identity,
    run      bigint not null,
    id       text collate "C" not null,        -- as JSON
    message  text,                             -- InboxMessage as JSON; null once it was consumed
    sum      bigint not null,
    primary key (run, id)
  );
  create index waiting on troupe.inbox (run) where message is not null;

  create table troupe.workers (
    id         text collate "C" primary key,
    owner      text not null,
    host       text not null,
    pid        integer not null,
    version    text not null,
    work       text not null,                  -- WorkOffer as JSON, or null
    is_draining boolean not null,
    started_at timestamptz not null,
    beat_at    timestamptz not null            -- by the clock of the database
  );

  -- What only one process at a time may change in a tree of runs.
  create table troupe.reservations (
    tree   bigint not null,
    name   text collate "C" not null,
    id     text collate "C" not null unique,
    worker text not null,
    primary key (tree, name)
  );

  -- A number per write, so that a process notices that it missed a notification.
  create sequence troupe.changes;

  ${LIVENESS}
  ${SEQ_AT}
  ${TREE_OF}
  ${TAKE_LEASE}
  ${RESERVE}
  ${CREATE_RUN}
  ${APPEND_MANY}
  ${APPEND_ONE}

  insert into troupe.meta values ('format', '${POSTGRES_FORMAT}');
`;
