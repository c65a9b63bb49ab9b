import type { ModelConfig } from '../../actors/model/model-config.ts';
import type { CallRequest } from '../../actors/port.ts';
import type { JsonObject } from '../../core/json.ts';
import type { World } from '../../host/port.ts';
import type { Journal } from '../../journal/port.ts';
import type { Tool } from '../../tools/port.ts';
import type { ActorSource } from '../world/actors.ts';

/** What requests are built with that the journal does not hold. */
export interface TracePlace {
  readonly world: Pick<World, 'tools' | 'services'>;
  readonly actors: ActorSource;
  readonly journal: Pick<Journal, 'getBody'>;
}

/** The body for a model; the system prompt, the prompt and the tools of its desk for a client. */
export interface TracedBody {
  readonly actor: 'model' | 'client';
  readonly provider: ModelConfig['provider'] | null;
  readonly model: string;
  /** What it was made of. */
  readonly request: CallRequest;
  /** All of it, as it goes over the wire; and the same read. */
  readonly text: string;
  readonly body: JsonObject;
  /** The tools of the run, with those that it does not offer this agent. */
  readonly tools: readonly Tool[];
  /** Estimated as before it left. */
  readonly tokens: number;
  /** Tokens that the model takes, by what was known then; null for a client. */
  readonly window: number | null;
  /** It is what left, byte for byte; else it is what would leave today. */
  readonly isRecorded: boolean;
  /** It is not recorded, and the settings have a script for its model: nothing leaves. */
  readonly isScripted: boolean;
}
