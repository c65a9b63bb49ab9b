/** Advisory locks of ours have this as their first number: "TRUP". */
export const LOCK_CLASS = 0x54_52_55_50;

/**
 * A worker is alive while its heartbeat is fresh. A free lock shows that its process is gone, sooner than the heartbeat does; a
 * frozen process keeps its lock, so an old heartbeat counts alone. After a start of the server all workers have some time to
 * connect again.
 */
export const LIVENESS = `
  create function troupe.is_alive(p_worker text, p_beat_at timestamptz) returns boolean language sql volatile as $$
    select case
      when p_beat_at is null then false
      when p_beat_at > clock_timestamp() - interval '1.5 s' then true
      when pg_postmaster_start_time() > clock_timestamp() - interval '3 s' then true
      when p_beat_at < clock_timestamp() - interval '4 s' then false
      else exists (
        select from pg_locks
        where locktype = 'advisory' and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database())
          and classid = ${LOCK_CLASS}::oid and objid = (hashtext(p_worker)::bigint & 4294967295)::oid)
    end
  $$;
`;

/** The process that had the name and is dead may wake up: all that it drives of the tree is taken from it, so it writes nothing more. */
export const RESERVE = `
  create function troupe.reserve(p_root text, p_name text, p_id text, p_worker text) returns boolean language plpgsql as $$
  declare
    t bigint;
    h troupe.reservations;
  begin
    t := troupe.tree_of(p_root);
    insert into troupe.reservations values (t, p_name, p_id, p_worker) on conflict do nothing;
    select * into h from troupe.reservations where tree = t and name = p_name for update;
    if h.id is null then return false; end if;
    if h.id = p_id then return true; end if;
    if troupe.is_alive(h.worker, (select beat_at from troupe.workers where id = h.worker)) then return false; end if;
    -- In the order in which appends lock them.
    perform from troupe.runs where tree = t and worker = h.worker order by number = tree, number for update;
    update troupe.runs set epoch = epoch + 1, worker = null, owner = null where tree = t and worker = h.worker;
    update troupe.reservations set id = p_id, worker = p_worker where tree = t and name = p_name;
    return true;
  end $$;
`;

/** Codes: 0 taken, 4 no such run, 6 another live process holds it. */
export const TAKE_LEASE = `
  create function troupe.take_lease(
    p_run text, p_worker text, p_owner text, f_epoch integer, f_owner text,
    out code integer, out change bigint, out epoch integer, out seq integer, out tip text,
    out run_number bigint, out tree_number bigint, out holder text, out host text, out pid integer
  ) language plpgsql as $$
  declare
    r troupe.runs;
    w troupe.workers;
  begin
    select * into r from troupe.runs where run = p_run for update;
    if not found then code := 4; return; end if;
    if r.worker is not null
      and not (r.worker = p_worker and r.owner = p_owner)
      and not (f_epoch is not distinct from r.epoch and f_owner is not distinct from r.owner)
    then
      select * into w from troupe.workers where id = r.worker;
      if r.worker = p_worker or troupe.is_alive(r.worker, w.beat_at) then
        code := 6; holder := r.owner; host := w.host; pid := w.pid;
        return;
      end if;
    end if;
    update troupe.runs set epoch = r.epoch + 1, worker = p_worker, owner = p_owner where number = r.number;
    code := 0; epoch := r.epoch + 1; seq := r.seq; tip := r.tip;
    run_number := r.number; tree_number := r.tree;
    change := nextval('troupe.changes');
  end $$;
`;
