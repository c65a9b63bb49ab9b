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
    out code integer, out change bigint
  ) language plpgsql as $$
  declare
    n constant integer := coalesce(r_seq[cardinality(r_seq)], 0);
    v_tree bigint;
    v_run bigint;
    v_commit bigint;
    r troupe.runs;
  begin
    insert into troupe.trees (root) values (p_root) on conflict do nothing;
    select number into v_tree from troupe.trees where root = p_root;
    insert into troupe.runs (run, tree, parent, fork_of, header, header_sum, status, outcome, more, seq, tip, updated_at,
        epoch, worker, owner)
      values (p_run, v_tree, p_parent, p_fork_of, p_header, p_sum, p_status, p_outcome, p_more, n, p_tip, p_updated,
        1, p_worker, p_owner)
      on conflict (run) do nothing returning number into v_run;
    if v_run is null then
      select * into r from troupe.runs where run = p_run;
      code := case when r.header = p_header and r.epoch = 1 and r.worker = p_worker and r.owner = p_owner and (n = 0
        or exists (select from troupe.records where run = r.number and seq = n and hash = p_tip)) then 1 else 5 end;
      return;
    end if;${BODIES}
    if n > 0 then
      update troupe.trees
        set counter = greatest(counter, coalesce((select max(c) from unnest(r_commit) c), 0))
          + case when array_position(r_commit, null) is null then 0 else 1 end
        where number = v_tree returning counter into v_commit;
      insert into troupe.records
        select v_run, s, v_tree, coalesce(c, v_commit), b, h, -coalesce(c, v_commit)
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
 */
export const APPEND_MANY = `
  create function troupe.append_many(
    b_run text[], b_epoch integer[], b_after integer[], b_seq integer[], b_tip text[],
    b_status text[], b_outcome text[], b_more text[], b_at double precision[], b_body text[], l_hash text[], l_body text[],
    c_batch integer[], c_id text[], s_batch integer[], s_run text[], s_id text[], s_message text[], s_sum bigint[],
    out codes integer[], out change bigint
  ) language plpgsql set plan_cache_mode = force_generic_plan as $$
  declare
    n constant integer := cardinality(b_run);
    a_batch bigint[];
    a_run bigint[];
    a_tree bigint[];
    a_commit bigint[];
  begin
    with u as (
      update troupe.runs r
        set seq = b.seq, tip = b.tip, status = b.status, outcome = b.outcome, more = b.more,
          updated_at = coalesce(b.at, r.updated_at)
        from unnest(b_run, b_epoch, b_after, b_seq, b_tip, b_status, b_outcome, b_more, b_at) with ordinality
          b(run, epoch, after, seq, tip, status, outcome, more, at, i)
        where r.run = b.run and r.epoch = b.epoch and r.worker is not null and r.seq = b.after
        returning b.i, r.number, r.tree)
    select array_agg(i), array_agg(number), array_agg(tree) into a_batch, a_run, a_tree from (select * from u order by i) x;
    if cardinality(a_batch) = n then
      codes := array_fill(0, array[n]);
    else
      select array_agg(a.number order by b.i), array_agg(a.tree order by b.i)
        into a_run, a_tree
        from generate_series(1, n) b(i) left join unnest(a_batch, a_run, a_tree) a(batch, number, tree) on a.batch = b.i;
      select array_agg(case
          when a_run[b.i] is not null then 0
          when r.run is null then 4
          when r.epoch <> b.epoch or r.worker is null then 2
          when b.seq > b.after and r.seq = b.seq and r.tip = b.tip then 1
          else 3 end order by b.i)
        into codes
        from unnest(b_run, b_epoch, b_after, b_seq, b_tip) with ordinality b(run, epoch, after, seq, tip, i)
        left join troupe.runs r on r.run = b.run;
      if array_position(codes, 0) is null then return; end if;
    end if;${BODIES}
    if b_seq <> b_after then
      -- In the order of their numbers, so that two groups do not wait for each other.
      with x as (
        select i, a_tree[i] as tree,
          sum((b_seq[i] > b_after[i])::integer) over (partition by a_tree[i] order by i) as nth
        from generate_series(1, n) i),
      t as (
        update troupe.trees t set counter = t.counter + k.many
          from (select tree, max(nth) as many from x where tree is not null group by tree order by tree) k
          where t.number = k.tree returning t.number, t.counter - k.many as base)
      select array_agg(base + nth) into a_commit
        from (select t.base, x.nth from x left join t on t.number = x.tree order by x.i) c;
      insert into troupe.records
        select b.run, b.seq, b.tree, b.commit, b.body, b.tip, -b.commit
        from unnest(a_run, b_seq, a_tree, a_commit, b_body, b_tip) b(run, seq, tree, commit, body, tip)
        where b.run is not null and b.body is not null;
    end if;
    if cardinality(c_id) > 0 then
      update troupe.inbox i set message = null
        from unnest(c_batch, c_id) c(batch, id)
        where i.run = a_run[c.batch] and i.id = c.id and i.message is not null;
    end if;
    if cardinality(s_id) > 0 then
      insert into troupe.inbox (run, id, message, sum)
        select r.number, s.id, s.message, s.sum
        from unnest(s_batch, s_run, s_id, s_message, s_sum) with ordinality s(batch, run, id, message, sum, o)
        join troupe.runs r on r.run = s.run
        where a_run[s.batch] is not null order by r.number, s.o on conflict do nothing;
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
    p_run text, p_epoch integer, p_after integer, p_seq integer, p_tip text, p_status text, p_outcome text, p_more text,
    p_at double precision, p_body text
  ) returns bigint language plpgsql as $$
  declare
    v_run bigint;
    v_tree bigint;
    v_commit bigint;
    r troupe.runs;
  begin
    update troupe.runs
      set seq = p_seq, tip = p_tip, status = p_status, outcome = p_outcome, more = p_more, updated_at = p_at
      where run = p_run and epoch = p_epoch and worker is not null and seq = p_after
      returning number, tree into v_run, v_tree;
    if v_run is null then
      select * into r from troupe.runs where run = p_run;
      return case
        when r.run is null then -4
        when r.epoch <> p_epoch or r.worker is null then -2
        when r.seq = p_seq and r.tip = p_tip then -1
        else -3 end;
    end if;
    update troupe.trees set counter = counter + 1 where number = v_tree returning counter into v_commit;
    insert into troupe.records values (v_run, p_seq, v_tree, v_commit, p_body, p_tip, -v_commit);
    return nextval('troupe.changes');
  end $$;
`;
