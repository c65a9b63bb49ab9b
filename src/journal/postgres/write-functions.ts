/**
 * The functions that write records. Each call is one transaction. They return a code per batch and raise nothing, so that a
 * refused batch takes no other one with it:
 * 0 written, 1 is there already, 2 lease lost, 3 does not continue the records, 4 no such run, 5 the run exists.
 */
const BODIES = `
    if cardinality(l_hash) > 0 then
      insert into troupe.bodies select h, b from unnest(l_hash, l_body) x(h, b) order by h on conflict do nothing;
    end if;`;

export const CREATE_RUN = `
  create function troupe.create_run(
    p_run text, p_root text, p_parent text, p_fork_of text, p_header text, p_sum bigint, p_worker text, p_owner text,
    p_status text, p_outcome text, p_more text, p_tip text, p_updated double precision,
    r_commit bigint[], r_seq integer[], r_body text[], r_hash text[], l_hash text[], l_body text[],
    s_run text[], s_id text[], s_message text[], s_sum bigint[],
    out code integer, out change bigint, out run_number bigint, out tree_number bigint
  ) language plpgsql as $$
  declare
    n constant integer := coalesce(r_seq[cardinality(r_seq)], 0);
    v_commit bigint;
    r troupe.runs;
  begin
    insert into troupe.trees (root) values (p_root) on conflict do nothing;
    select number into tree_number from troupe.trees where root = p_root;
    insert into troupe.runs (run, tree, parent, fork_of, header, header_sum, status, outcome, more, seq, tip, updated_at,
        epoch, worker, owner)
      values (p_run, tree_number, p_parent, p_fork_of, p_header, p_sum, p_status, p_outcome, p_more, n, p_tip, p_updated,
        1, p_worker, p_owner)
      on conflict (run) do nothing returning number into run_number;
    if run_number is null then
      select * into r from troupe.runs where run = p_run;
      code := case when r.header = p_header and r.epoch = 1 and r.worker = p_worker and r.owner = p_owner and (n = 0
        or exists (select from troupe.records where run = r.number and seq = n and hash = p_tip)) then 1 else 5 end;
      return;
    end if;${BODIES}
    if n > 0 then
      update troupe.trees
        set counter = greatest(counter, coalesce((select max(c) from unnest(r_commit) c), 0))
          + case when array_position(r_commit, null) is null then 0 else 1 end
        where number = tree_number returning counter into v_commit;
      insert into troupe.records
        select run_number, s, tree_number, coalesce(c, v_commit), b, h, -coalesce(c, v_commit)
        from unnest(r_commit, r_seq, r_body, r_hash) x(c, s, b, h);
    end if;
    if cardinality(s_run) > 0 then
      insert into troupe.inbox (run, id, message, sum)
        select t.number, s.id, s.message, s.sum
        from unnest(s_run, s_id, s_message, s_sum) with ordinality s(run, id, message, sum, o)
        join troupe.runs t on t.run = s.run order by t.number, s.o on conflict do nothing;
    end if;
    code := 0;
    change := nextval('troupe.changes');
  end $$;
`;

/**
 * Batches (b_) with their records as one text each, large bodies (l_), consumed messages (c_) and messages to send (s_) as parallel arrays;
 * \`batch\` is the number of the batch a row belongs to, from 1. At most one batch a run.
 * The trees (t_) that get records, by number, so that two groups never wait for each other: b_place is a batch's tree among them, b_nth its
 * place among the tree's batches with records, t_many how many those are. Values are read by subscript, which takes less time than joins.
 * Rows are looked up one by one: a plan made while the tables were small would read all runs and trees for every call.
 */
export const APPEND_MANY = `
  create function troupe.append_many(
    b_run bigint[], b_epoch integer[], b_after integer[], b_seq integer[], b_tip text[],
    b_status text[], b_outcome text[], b_more text[], b_at double precision[], b_body text[],
    b_place integer[], b_nth integer[], t_tree bigint[], t_many integer[], l_hash text[], l_body text[],
    c_batch integer[], c_id text[], s_batch integer[], s_run text[], s_id text[], s_message text[], s_sum bigint[],
    out codes integer[], out change bigint
  ) language plpgsql set plan_cache_mode = force_generic_plan set enable_hashjoin = off set enable_mergejoin = off as $$
  declare
    n constant integer := cardinality(b_run);
    trees constant integer := cardinality(t_tree);
    written integer[];
    base bigint[];
  begin
    with u as (
      update troupe.runs r
        set seq = b_seq[i], tip = b_tip[i], status = b_status[i], outcome = b_outcome[i], more = b_more[i],
          updated_at = coalesce(b_at[i], r.updated_at)
        from generate_series(1, n) i
        where r.number = b_run[i] and r.epoch = b_epoch[i] and r.worker is not null and r.seq = b_after[i]
        returning i)
    select array_agg(i) into written from u;
    if cardinality(written) = n then
      codes := array_fill(0, array[n]);
    else
      select array_agg(case
          when i = any(written) then 0
          when r.run is null then 4
          when r.epoch <> b_epoch[i] or r.worker is null then 2
          when b_seq[i] > b_after[i] and r.seq = b_seq[i] and r.tip = b_tip[i] then 1
          else 3 end order by i)
        into codes
        from generate_series(1, n) i left join troupe.runs r on r.number = b_run[i];
      if written is null then return; end if;
      -- Refused batches take no commit number.
      b_body := array(select case when codes[i] = 0 then b_body[i] end from generate_series(1, n) i order by i);
      b_nth := array(select count(b_body[i]) over (partition by b_place[i] order by i) from generate_series(1, n) i order by i);
      t_many := array(
        select (select count(b_body[i]) from generate_series(1, n) i where b_place[i] = t)
        from generate_series(1, trees) t order by t);
    end if;${BODIES}
    if trees > 0 then
      with t as (
        update troupe.trees t set counter = t.counter + t_many[i]
          from generate_series(1, trees) i where t.number = t_tree[i] returning i, t.counter - t_many[i] as base)
      select array_agg(t.base order by i) into base from t;
      insert into troupe.records
        select b_run[i], b_seq[i], t_tree[b_place[i]], commit, b_body[i], b_tip[i], -commit
        from (select i, base[b_place[i]] + b_nth[i] as commit from generate_series(1, n) i where b_body[i] is not null) b;
    end if;
    if cardinality(c_id) > 0 then
      update troupe.inbox i set message = null
        from unnest(c_batch, c_id) c(batch, id)
        where i.run = b_run[c.batch] and codes[c.batch] = 0 and i.id = c.id and i.message is not null;
    end if;
    if cardinality(s_id) > 0 then
      insert into troupe.inbox (run, id, message, sum)
        select r.number, s.id, s.message, s.sum
        from unnest(s_batch, s_run, s_id, s_message, s_sum) with ordinality s(batch, run, id, message, sum, o)
        join troupe.runs r on r.run = s.run
        where codes[s.batch] = 0 order by r.number, s.o on conflict do nothing;
    end if;
    change := nextval('troupe.changes');
  end $$;
`;

/**
 * A batch that waits alone and has nothing but records: the same in less than half the time. Returns the number of the change, or
 * the code negated.
 */
export const APPEND_ONE = `
  create function troupe.append_one(
    p_run bigint, p_tree bigint, p_epoch integer, p_after integer, p_seq integer, p_tip text, p_status text, p_outcome text,
    p_more text, p_at double precision, p_body text
  ) returns bigint language plpgsql as $$
  declare
    v_commit bigint;
    r troupe.runs;
  begin
    update troupe.runs
      set seq = p_seq, tip = p_tip, status = p_status, outcome = p_outcome, more = p_more, updated_at = p_at
      where number = p_run and epoch = p_epoch and worker is not null and seq = p_after;
    if not found then
      select * into r from troupe.runs where number = p_run;
      return case
        when r.run is null then -4
        when r.epoch <> p_epoch or r.worker is null then -2
        when r.seq = p_seq and r.tip = p_tip then -1
        else -3 end;
    end if;
    update troupe.trees set counter = counter + 1 where number = p_tree returning counter into v_commit;
    insert into troupe.records values (p_run, p_seq, p_tree, v_commit, p_body, p_tip, -v_commit);
    return nextval('troupe.changes');
  end $$;
`;
