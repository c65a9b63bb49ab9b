import type { Event } from '../../core/model/event.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { foldOn } from '../../core/fold/fold.ts';
import type { Json } from '../../core/model/json.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { step, type Step } from '../../core/step/step.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';

export interface StepInput {
  readonly snapshot: Snapshot;
  readonly event: Event;
  readonly at: number;
}

/**
 * One step of the interpreter that lets no secret through: an event is redacted before it is decided upon, so that the
 * journal, the snapshot and everything after them hold the same text. A secret that only the step assembles, such as two
 * halves joined by an expression, is removed from its facts, and the snapshot is the fold of these facts.
 */
export function redactedStep(secrets: KnownSecrets | undefined, definition: Definition, input: StepInput): Step {
  const { snapshot, event, at } = input;
  if (secrets === undefined) return step(definition, snapshot, { event, at });
  const result = step(definition, snapshot, { event: redactedEvent(secrets, event), at });
  const facts = redacted(secrets, result.facts);
  if (facts === result.facts) return result;
  return { facts, snapshot: foldOn(snapshot, numbered(facts, input)), effects: redacted(secrets, result.effects) };
}

function redactedEvent(secrets: KnownSecrets, event: Event): Event {
  const clean = redacted(secrets, event);
  if (clean.kind !== 'call.answered' || clean.message.meta === undefined) return clean;
  if (event.kind !== 'call.answered' || clean.message.meta === event.message.meta) return clean;
  // A provider refuses reasoning that differs from what it signed.
  const { meta: _meta, ...message } = clean.message;
  return { ...clean, message };
}

/** Facts, events and options are JSON, whatever their types say. */
export function redacted<Value>(secrets: KnownSecrets | undefined, value: Value): Value {
  return (secrets?.redactJson(value as Json) ?? value) as Value;
}

function numbered(facts: readonly Fact[], { snapshot, at }: StepInput): readonly JournalRecord[] {
  return facts.map((fact, index) => ({ seq: snapshot.seq + index + 1, at, fact }));
}
