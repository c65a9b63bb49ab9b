import { resolve } from 'node:path';
import type { Effort, Price } from '../../actors/model/model-config.ts';
import type { ActorsFile } from './model-schema.ts';
import { given, toPrice } from './setting-values.ts';

/** Settings of agents that are separate programs, by the names that roles and `--actor` use. */
export interface ActorSettings {
  readonly 'claude-code'?: ClientSettings;
  readonly codex?: ClientSettings;
  readonly acp?: Readonly<Record<string, AcpSettings>>;
}

export interface ClientSettings extends Watched {
  /** A path, or a name that is looked for on the path; the client's own name by default. */
  readonly program?: string;
  readonly model?: string;
  readonly effort?: Effort;
}

export interface AcpSettings extends Watched {
  readonly command: readonly string[];
  /** Names of variables it gets. */
  readonly env: readonly string[];
}

interface Watched {
  readonly idleMs?: number;
  readonly wallMs?: number;
  readonly graceMs?: number;
  readonly price?: Price;
  /** Where it gets to besides its own endpoint. */
  readonly hosts?: readonly string[];
  /** Its program is named by a project that is not trusted: it is not started. */
  readonly isBarred?: boolean;
}

export const toActors = ({ 'claude-code': claude, codex, acp }: ActorsFile, folder: string): ActorSettings =>
  given({
    'claude-code': claude && toClient(claude, folder),
    codex: codex && toClient(codex, folder),
    acp: acp && Object.fromEntries(Object.entries(acp).map(([name, agent]) => [name, toAcp(agent, folder)])),
  });

type ClientFile = NonNullable<ActorsFile['codex']>;
type AcpFile = NonNullable<ActorsFile['acp']>[string];

const toClient = ({ program, model, effort, ...file }: ClientFile, folder: string): ClientSettings => ({
  ...given({ program: program === undefined ? undefined : programPath(program, folder), model, effort }),
  ...toWatched(file),
});

function toAcp(file: AcpFile, folder: string): AcpSettings {
  const [program = '', ...rest] = file.command;
  return { command: [programPath(program, folder), ...rest], env: file.env ?? [], ...toWatched(file) };
}

const toWatched = ({ price, hosts, ...file }: Pick<ClientFile, keyof ClientFile & keyof AcpFile>): Watched =>
  given({
    idleMs: milliseconds(file.idle_minutes, MINUTE),
    wallMs: milliseconds(file.wall_minutes, MINUTE),
    graceMs: milliseconds(file.grace_seconds, SECOND),
    price: price && toPrice(price),
    hosts,
  });

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const milliseconds = (count: number | undefined, unit: number): number | undefined =>
  count === undefined ? undefined : Math.ceil(count * unit);

/** A bare name is looked for on the path. */
const programPath = (program: string, folder: string): string =>
  program.includes('/') ? resolve(folder, program) : program;

/** Merges key by key, but replaces an ACP agent whole, so that no command gets the variables of another. */
export function mergeActors(below: ActorSettings, above: ActorSettings): ActorSettings {
  const acp = { ...below.acp, ...above.acp };
  return {
    ...merged('claude-code', below, above),
    ...merged('codex', below, above),
    ...(Object.keys(acp).length === 0 ? {} : { acp }),
  };
}

function merged(kind: 'claude-code' | 'codex', below: ActorSettings, above: ActorSettings): ActorSettings {
  if (below[kind] === undefined && above[kind] === undefined) return {};
  return { [kind]: { ...below[kind], ...above[kind] } };
}
