import type { Role, ToolSpec } from '../../../core/model/role.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { subAgentsOf } from '../../../core/model/sub-agent.ts';
import { MAIN_WORKSPACE, workspaceOf } from '../../../core/model/workspace-name.ts';
import { SETTLE_CONFLICT, taskSpec } from '../../../tools/engine-tools.ts';
import { TASK_TOOL } from '../../../core/model/tool-names.ts';
import { toolsFor, usableTools } from '../../../tools/tools-for.ts';
import type { World } from '../../world.ts';
import { turnSpecs } from './turn-tools.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/**
 * The tools offered to an agent, in one order and the same for all calls of its turn (A3): providers put them before
 * everything else, so a changed list loses the whole cached prefix (A5). A call that makes no sense at the moment is refused
 * when it is made.
 */
export function offeredSpecs({ world, snapshot, definition }: OfferPlace, speaker: Speaker): readonly ToolSpec[] {
  const { unusable } = snapshot;
  const { outputs } = speaker.work;
  const isMain = workspaceOf(snapshot, speaker.agent) === MAIN_WORKSPACE;
  const known = specsFor(world, speaker.role, definition.roles);
  const last = lastOffers.get(known);
  const isSame = last?.unusable === unusable && last.outputs === outputs && last.isMain === isMain;
  if (last !== undefined && isSame && last.canDecline === speaker.canDecline) return last.offered;
  const own = turnSpecs(speaker);
  const taken = new Set([...own.map(({ name }) => name), ...unusable]);
  // Merges open conflicts in the source workspace, which is never the run's main one.
  if (isMain) taken.add(SETTLE_CONFLICT);
  const offered = [...known.filter(({ name }) => !taken.has(name)), ...own].sort(byName);
  lastOffers.set(known, { unusable, outputs, isMain, canDecline: speaker.canDecline, offered });
  return offered;
}

/** All that an offer depends on besides the tools of the role: nearly always the same as the time before. */
interface Offer {
  readonly unusable: Snapshot['unusable'];
  readonly outputs: Speaker['work']['outputs'];
  readonly isMain: boolean;
  readonly canDecline: boolean;
  readonly offered: readonly ToolSpec[];
}

const lastOffers = new WeakMap<readonly ToolSpec[], Offer>();

interface OfferPlace {
  readonly world: Offered;
  readonly snapshot: Snapshot;
  readonly definition: Pick<Definition, 'roles'>;
}

type Offered = Pick<World, 'tools' | 'services'>;

/** By the world's tools first: two hosts in one process may have different ones. */
const specCache = new WeakMap<World['tools'], WeakMap<Role, readonly ToolSpec[]>>();

function specsFor(world: Offered, role: Role, roles: Definition['roles']): readonly ToolSpec[] {
  const ofWorld = specCache.get(world.tools) ?? new WeakMap<Role, readonly ToolSpec[]>();
  specCache.set(world.tools, ofWorld);
  const known = ofWorld.get(role);
  if (known !== undefined) return known;
  const own = toolsFor(role, usableTools(world.tools, world.services)).tools.flatMap(({ spec }) =>
    spec.name === TASK_TOOL ? subAgentSpec(role, roles) : [spec],
  );
  const specs = [...own, ...role.parsingTools];
  ofWorld.set(role, specs);
  return specs;
}

/** Names only roles that this one may start. Without any, the tool could only be refused. */
function subAgentSpec(role: Role, roles: Definition['roles']): readonly ToolSpec[] {
  if (role.tasks === undefined) return [taskSpec(role)];
  const tasks = subAgentsOf(role, roles);
  return tasks.length === 0 ? [] : [taskSpec({ ...role, tasks })];
}

const byName = (one: ToolSpec, other: ToolSpec): number => (one.name < other.name ? -1 : 1);
