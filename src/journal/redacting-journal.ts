import type { Json } from '../core/model/json.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { Batch, Journal } from './port.ts';

/**
 * A journal that takes no secret: the last line of defence, for every writer. The host redacts events before it decides, so
 * there is usually nothing left to find here.
 */
export function redactingJournal(journal: Journal, secrets: KnownSecrets): Journal {
  const clean = <Value>(value: Value): Value => secrets.redactJson(value as Json) as Value;
  const cleanBatch = (batch: Batch): Batch => {
    const records = clean(batch.records);
    const sends = batch.sends && clean(batch.sends);
    if (records === batch.records && sends === batch.sends) return batch;
    return { ...batch, records, ...(sends && { sends }) };
  };
  return {
    create: (run, owner, first) =>
      journal.create({ ...run, title: secrets.redact(run.title) }, owner, first && cleanBatch(first)),
    append: (lease, batch) => journal.append(lease, cleanBatch(batch)),
    putBody: (body) => journal.putBody(clean(body)),
    send: (run, message) => journal.send(run, clean(message)),
    read: (run, after, limit) => journal.read(run, after, limit),
    tree: (root, after, limit) => journal.tree(root, after, limit),
    run: (run) => journal.run(run),
    runs: (filter) => journal.runs(filter),
    getBody: (hash) => journal.getBody(hash),
    lease: (run, owner, from) => journal.lease(run, owner, from),
    release: (lease) => journal.release(lease),
    inbox: (run) => journal.inbox(run),
    addressed: () => journal.addressed(),
    onChange: (listener) => journal.onChange(listener),
    ...(journal.lapses && { lapses: () => journal.lapses?.() ?? 0 }),
    ...(journal.reserve && { reserve: journal.reserve.bind(journal) }),
    close: () => journal.close(),
  };
}
