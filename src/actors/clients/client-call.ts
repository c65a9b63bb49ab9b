import type { Sandbox } from '../../sandbox/port.ts';
import type { Effort } from '../model/model-config.ts';
import type { Price } from '../model/price.ts';
import type { CallOptions, CallRequest } from '../port.ts';
import type { Reach } from './network/reach.ts';

/** What the actor of any client is made with. */
export interface ClientOptions {
  readonly openSandbox: () => Promise<Sandbox>;
  /** The user's, of which the client gets its own variables only. */
  readonly environment: NodeJS.ProcessEnv;
  /** Its own choice unless given. */
  readonly model?: string;
  /** Its own default where nothing is said. */
  readonly effort?: Effort;
  /** Instead of what the client reckons, if it tells anything. */
  readonly price?: Price;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden?: readonly string[];
  /** Where it gets to besides its own endpoint. */
  readonly hosts?: Reach;
}

/** One call of such an actor. */
export interface ClientCall<Options extends ClientOptions> {
  readonly options: Options;
  readonly request: CallRequest;
  readonly callOptions: CallOptions;
}
