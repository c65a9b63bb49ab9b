/**
 * The functions that write records. Each call is one transaction. Every one of them takes its locks in the same order, so that no two
 * wait for each other: rows of runs that are no head of their tree, then those of heads, each by number; then bodies, then messages.
 * Codes: 0 written, 1 is there already, 2 lease lost, 3 does not continue the records, 4 no such run, 5 the run exists.
 */

/** The head of a tree is the run that was created first: its row has the tree's newest commit number. Mostly it is the root. */
export const TREE_OF = `
  create function troupe.tree_of(p_root text) returns bigint language sql stable as $$
    select tree from troupe.runs where run = p_root
    union all select tree from troupe.runs where run > p_root || '/' and run < p_root || '0'
    limit 1
  $$;
`;

/** Large bodies (l_). */
const BODIES = `
    if cardinality(l_hash) > 0 then
      insert into troupe.bodies select h, b from unnest(l_hash, l_body) x(h, b) order by h on conflict do nothing;
    end if;`;

/** Messages that were consumed (c_). */
const CONSUMED = `
    if cardinality(c_id) > 0 then
      update troupe.inbox i set message = null
        from unnest(c_run, c_id) c(run, id) where i.run = c.run and i.id = c.id and i.message is not null;
    end if;`;

/** Messages to send (s_). */
const SENDS = `
    if cardinality(s_id) > 0 then
      insert into troupe.inbox (run, id, message, sum)
        select t.number, s.id, s.message, s.sum
        from unnest(s_run, s_id, s_message, s_sum) with ordinality s(run, id, message, sum, o)
        join troupe.runs t on t.run = s.run order by t.number, s.o on conflict do nothing;
    end if;`;

const SENDS_PARAMETERS = 's_run text[], s_id text[], s_message text[], s_sum bigint[]';

const MORE_PARAMETERS = `l_hash text[], l_body text[], c_run bigint[], c_id text[], ${SENDS_PARAMETERS}`;

export const CREATE_RUN = `
  create function troupe.create_run(
    p_run text, p_root text, p_parent text, p_fork_of text, p_header text, p_sum bigint, p_worker text, p_owner text,
    p_status text, p_outcome text, p_more text, p_tip text, p_updated double precision,
    r_commit bigint[], r_seq integer[], r_body text[], r_hash text[], l_hash text[], l_body text[], ${SENDS_PARAMETERS},
    out code integer, out change bigint, out run_number bigint, out tree_number bigint
  ) language plpgsql as $$
  declare
    n constant integer := coalesce(r_seq[cardinality(r_seq)], 0);
    v_commit bigint;
    r troupe.runs;
  begin
    tree_number := troupe.tree_of(p_root);
    if tree_number is null then
      -- A tree has one head, also where two of its runs are created at once.
      perform pg_advisory_xact_lock(hashtextextended(p_root, 0));
      tree_number := troupe.tree_of(p_root);
    end if;
    run_number := nextval('troupe.run_numbers');
    tree_number := coalesce(tree_number, run_number);
    insert into troupe.runs (number, run, tree, counter, parent, fork_of, header, header_sum, status, outcome, more, seq, tip,
        updated_at, epoch, worker, owner)
      values (run_number, p_run, tree_number, 0, p_parent, p_fork_of, p_header, p_sum, p_status, p_outcome, p_more, n, p_tip,
        p_updated, 1, p_worker, p_owner)
      on conflict (run) do nothing;
    if not found then
      select * into r from troupe.runs where run = p_run;
      code := case when r.header = p_header and r.epoch = 1 and r.worker = p_worker and r.owner = p_owner and (n = 0
        or exists (select from troupe.records where run = r.number and seq = n and hash = p_tip)) then 1 else 5 end;
      return;
    end if;
    if n > 0 then
      update troupe.runs
        set counter = greatest(counter, coalesce((select max(c) from unnest(r_commit) c), 0))
          + case when array_position(r_commit, null) is null then 0 else 1 end
        where number = tree_number returning counter into v_commit;
      insert into troupe.records
        select run_number, s, nullif(tree_number, run_number), coalesce(c, v_commit), b, h, -coalesce(c, v_commit)
        from unnest(r_commit, r_seq, r_body, r_hash) x(c, s, b, h);
    end if;${BODIES}${SENDS}
    code := 0;
    change := nextval('troupe.changes');
  end $$;
`;

/**
 * Batches of several runs: all of them or, with an error, none. A row (b_) for each batch, and for each head of which only the commit
 * number changes: it has no epoch. b_head is the place of a row's head among the rows, b_nth the batch's place among those of its
 * tree that have records, b_many how many those are, in the row of the head. The rows are in the order in which they are to be locked.
 * Values are read by subscript, which takes less time than joins.
 */
export const APPEND_MANY = `
  create function troupe.append_many(
    b_run bigint[], b_epoch integer[], b_after integer[], b_seq integer[], b_tip text[],
    b_status text[], b_outcome text[], b_more text[], b_at double precision[], b_body text[],
    b_head integer[], b_nth integer[], b_many integer[], ${MORE_PARAMETERS}
  ) returns bigint language plpgsql set plan_cache_mode = force_generic_plan as $$
  declare
    n constant integer := cardinality(b_run);
    base bigint[];
  begin
    with u as (
      update troupe.runs r
        set counter = r.counter + b_many[i], seq = coalesce(b_seq[i], r.seq), tip = coalesce(b_tip[i], r.tip),
          status = coalesce(b_status[i], r.status), updated_at = coalesce(b_at[i], r.updated_at),
          outcome = case when b_epoch[i] is null then r.outcome else b_outcome[i] end,
          more = case when b_epoch[i] is null then r.more else b_more[i] end
        from generate_series(1, n) i
        where r.number = b_run[i]
          and (b_epoch[i] is null or r.epoch = b_epoch[i] and r.worker is not null and r.seq = b_after[i])
        returning i, r.counter - b_many[i] as base)
    select array_agg(u.base order by i) into base from u;
    if cardinality(base) is distinct from n then raise exception 'one of these batches is refused'; end if;
    insert into troupe.records
      select b_run[i], b_seq[i], nullif(b_run[b_head[i]], b_run[i]), commit, b_body[i], b_tip[i], -commit
      from (select i, base[b_head[i]] + b_nth[i] as commit from generate_series(1, n) i where b_body[i] is not null) b;
    ${BODIES}${CONSUMED}${SENDS}
    return nextval('troupe.changes');
  end $$;
`;

/** One batch, in less than half the time. Returns the number of the change, or the code negated. */
export const APPEND_ONE = `
  create function troupe.append_one(
    p_run bigint, p_tree bigint, p_epoch integer, p_after integer, p_seq integer, p_tip text, p_status text, p_outcome text,
    p_more text, p_at double precision, p_body text, ${MORE_PARAMETERS}
  ) returns bigint language plpgsql as $$
  declare
    v_commit bigint;
    r troupe.runs;
  begin
    update troupe.runs
      set counter = counter + case when p_run = p_tree and p_body is not null then 1 else 0 end, seq = p_seq, tip = p_tip,
        status = p_status, outcome = p_outcome, more = p_more, updated_at = coalesce(p_at, updated_at)
      where number = p_run and epoch = p_epoch and worker is not null and seq = p_after
      returning counter into v_commit;
    if not found then
      select * into r from troupe.runs where number = p_run;
      return case
        when r.run is null then -4
        when r.epoch <> p_epoch or r.worker is null then -2
        when p_seq > p_after and r.seq = p_seq and r.tip = p_tip then -1
        else -3 end;
    end if;
    if p_body is not null then
      if p_run <> p_tree then
        update troupe.runs set counter = counter + 1 where number = p_tree returning counter into v_commit;
      end if;
      insert into troupe.records values (p_run, p_seq, nullif(p_tree, p_run), v_commit, p_body, p_tip, -v_commit);
    end if;${BODIES}${CONSUMED}${SENDS}
    return nextval('troupe.changes');
  end $$;
`;
