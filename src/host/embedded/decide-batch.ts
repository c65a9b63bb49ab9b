import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import type { Fact } from '../../core/record/fact.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { redactedStep } from './redacted-step.ts';

/** The core's decision about some events. */
export interface BatchDecision {
  readonly events: readonly Event[];
  readonly facts: readonly Fact[];
  readonly effects: readonly Effect[];
  readonly snapshot: Snapshot;
  /** For each event, whether it changed something. */
  readonly changed: readonly boolean[];
}

interface Situation {
  readonly secrets: KnownSecrets | undefined;
  readonly definition: Definition;
  readonly snapshot: Snapshot;
  readonly at: number;
}

/** One step after the other; most often there is only one. */
export function decideBatch(now: Situation, events: readonly Event[]): BatchDecision {
  const [only] = events;
  if (events.length === 1 && only !== undefined) {
    const { facts, effects, snapshot } = stepOf(now, now.snapshot, only);
    return { events, facts, effects, snapshot, changed: facts.length > 0 ? CHANGED : UNCHANGED };
  }
  const facts: Fact[] = [];
  const effects: Effect[] = [];
  let { snapshot } = now;
  const changed = events.map((event) => {
    const result = stepOf(now, snapshot, event);
    snapshot = result.snapshot;
    facts.push(...result.facts);
    effects.push(...result.effects);
    return result.facts.length > 0;
  });
  return { events, facts, effects, snapshot, changed };
}

const CHANGED: readonly boolean[] = [true];
const UNCHANGED: readonly boolean[] = [false];

const stepOf = ({ secrets, definition, at }: Situation, snapshot: Snapshot, event: Event) =>
  redactedStep(secrets, definition, { snapshot, event, at });
