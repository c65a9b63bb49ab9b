import type { RoleMode } from '../core/role.ts';
import type { SeenMessage } from '../core/view.ts';
import type { Workspace } from '../workspace/port.ts';

/** What can be had of a client, whoever asks for it. */
export interface ClientTraits {
  /** Whose account it uses: a quota that is used up, or a login that is gone, stops everybody who needs the same. */
  readonly provider: string;
  /** The engine chooses the id of a new conversation, and can write it down before there is one. */
  readonly choosesSession: boolean;
  readonly canResume: boolean;
  /** It can copy a conversation and go on in the copy. */
  readonly canFork: boolean;
}

/** One turn of a client. */
export interface ClientOrder {
  /** Where it works. */
  readonly place: Pick<Workspace, 'folder' | 'environment' | 'folders'>;
  /** `read`: nothing may be written. `commands`: what it writes is thrown away. Seen to by the sandbox, whatever the client thinks. */
  readonly mode: RoleMode;
  /** Its commands may reach the network; the client itself always reaches its own endpoint. */
  readonly network: boolean;
  readonly session: SessionOrder;
  /** What its conversation has not heard yet; all of it for a new one. Never empty. */
  readonly unheard: readonly SeenMessage[];
  /** Where it hands in its structured replies; null where its role has none. */
  readonly desk: Desk | null;
  /** A folder of the agent's own for settings and conversations, which lasts as long as the run. No other agent's. */
  readonly home: string;
  readonly limits: ClientLimits;
}

/** What a client is given to read in one turn. */
export interface ClientPrompt {
  /** Empty where the conversation has it already. */
  readonly system: string;
  readonly prompt: string;
}

export type SessionOrder =
  /** `id` where the client lets the engine choose. */
  | { readonly how: 'new'; readonly id: string | null }
  | { readonly how: 'resumed'; readonly id: string }
  /** A copy of `from`, under an id of its own where the engine may choose. */
  | { readonly how: 'forked'; readonly from: string; readonly id: string | null };

/** An MCP server on loopback that knows by the token for whom a call is. */
export interface Desk {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The names of its tools, without any prefix a client may add. */
  readonly tools: readonly string[];
  /** For clients without HTTP: a program that speaks MCP on its own input and output and passes it on. */
  readonly bridge: DeskBridge;
  /** Calls `hold` when a reply begins to be checked, and what that returned when it has been: nobody is idle meanwhile. */
  readonly onCheck?: (hold: () => () => void) => void;
  /** Calls `end` when a reply was accepted: the turn is over, and the client has its grace time to end it. */
  readonly onAccepted?: (end: () => void) => void;
}

export interface DeskBridge {
  readonly command: readonly string[];
  /** Where the desk is, and the token: in no command line, which others can read. */
  readonly environment: Readonly<Record<string, string>>;
  /** What a sandbox must let it read. */
  readonly folders: readonly string[];
}

/** The code of a client that went on after its grace time. Its accepted reply counts. */
export const WENT_ON = 'CLIENT_WENT_ON';

export const GRACE_MS = 10_000;

export interface ClientLimits {
  /** Nothing was heard of it for so long: it is stuck (Q5). */
  readonly idleMs: number;
  readonly wallMs: number;
  /** How long it may go on after its reply was accepted (A8). */
  readonly graceMs?: number;
}

/** What `troupe doctor` says of a client. */
export interface ClientProbe {
  readonly kind: string;
  readonly isFound: boolean;
  readonly path?: string;
  readonly version?: string;
  /** `null`: it cannot be told without asking the vendor. */
  readonly isLoggedIn: boolean | null;
  /** By what: a key in this variable, a login in that file. Never the key itself. */
  readonly login?: string;
  readonly problem?: string;
  readonly hint?: string;
  readonly traits: ClientTraits;
}
