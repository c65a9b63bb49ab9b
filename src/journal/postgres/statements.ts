import type { Statement } from './database-link.ts';
import { AT_WORK } from './schema.ts';

/** What the journal asks the database, besides reading runs and records. Each can be repeated. */

const parameters = (count: number): string => Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');

export const CREATE: Statement = {
  name: 'create',
  text: `select * from troupe.create_run(${parameters(23)})`,
};

export const APPEND: Statement = {
  name: 'append',
  pool: 'append',
  text: `select troupe.append_many(${parameters(21)}) as change`,
};

export const APPEND_ALONE: Statement = {
  name: 'append-alone',
  pool: 'append',
  text: `select troupe.append_one(${parameters(19)}) as change`,
};

export const LEASE: Statement = { name: 'lease', text: `select * from troupe.take_lease(${parameters(5)})` };

/** A row where the run exists; a number where the lease was held. */
export const RELEASE: Statement = {
  name: 'release',
  pool: 'append',
  text: `
    with freed as (
      update troupe.runs set worker = null, owner = null
      where run = $1 and epoch = $2 and worker is not null returning number)
    select (select nextval('troupe.changes') from freed) as change from troupe.runs where run = $1`,
};

/** A row where the run exists; a number where the message is new. */
export const SEND: Statement = {
  name: 'send',
  text: `
    with found as (select number from troupe.runs where run = $1),
      added as (
        insert into troupe.inbox (run, id, message, sum) select number, $2, $3, $4::bigint from found
        on conflict do nothing returning run)
    select (select nextval('troupe.changes') from added) as change from found`,
};

/** One row without a message where the run has none. */
export const INBOX: Statement = {
  name: 'inbox',
  text: `
    select i.id, i.message, i.sum
    from troupe.runs r left join troupe.inbox i on i.run = r.number and i.message is not null
    where r.run = $1 order by i.number`,
};

export const ADDRESSED_RUNS: Statement = {
  name: 'addressed',
  text: `
    select r.run from troupe.runs r left join troupe.workers w on w.id = r.worker
    where r.number in (select run from troupe.inbox where message is not null)
      and (r.status <> 'settled' or r.worker = $1 or troupe.is_alive(w.id, w.beat_at))`,
};

/** Of a run `r` that is held by worker `w`: it is not over, and no live process other than $1 drives it. */
const IS_FREE = `r.status <> 'settled' and r.worker is distinct from $1
      and (r.worker is null or not troupe.is_alive(w.id, w.beat_at))`;

const IS_OFFERED = `header like '%"isOffered":true%'`;

/** Oldest first. The runs are looked up once each, and so are those above them. A run that has a message sleeps no longer. */
export const UNDRIVEN_RUNS: Statement = {
  name: 'undriven',
  text: `
    with recursive candidates as (
      select number from troupe.runs where ${AT_WORK}
      union select run from troupe.inbox where message is not null),
    above as (
      select r.number, r.parent, r.${IS_OFFERED} as is_offered, (select r.more where not exists (
        select from troupe.inbox i where i.run = r.number and i.message is not null)) as more
      from candidates join troupe.runs r using (number) left join troupe.workers w on w.id = r.worker
      where ${IS_FREE}
      union all
      select r.number, r.parent, r.${IS_OFFERED}, a.more
      from above a join troupe.runs r on r.run = a.parent where not a.is_offered)
    select r.run, array_agg(a.more) as more
    from above a join troupe.runs r using (number) left join troupe.workers w on w.id = r.worker
    where (a.parent is null or a.is_offered) and ${IS_FREE}
    group by r.number, r.run order by r.number`,
};

export const PUT_BODY: Statement = {
  name: 'put-body',
  text: 'insert into troupe.bodies values ($1, $2) on conflict do nothing',
};

export const GET_BODY: Statement = { name: 'get-body', text: 'select body from troupe.bodies where hash = $1' };
