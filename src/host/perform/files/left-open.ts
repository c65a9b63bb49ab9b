import { bodyHash, type RunId, type TaskId } from '../../../core/model/ids.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { isToolAtWork } from '../../../core/step/turn/permit.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { Snapshot, Task } from '../../../core/fold/snapshot.ts';
import type { AgentSpec } from '../../../core/model/workflow.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { Journal } from '../../../journal/port.ts';
import { unitWorkspace } from './unit-workspace.ts';

/** What a tree of runs was doing to its files when it was released. */
export class LeftOpen {
  /** Workspaces that may hold a partial write of a tool, a command or a merge. */
  readonly half = new Set<string>();
  /** Workspaces with a client in mid-turn: it continues there, so its files stay, as the work of its task. */
  readonly going = new Map<string, TurnOf>();

  add({ half, going }: LeftOpen): void {
    for (const name of half) this.half.add(name);
    for (const [name, turn] of going) this.going.set(name, turn);
  }

  /** The workspace is open here now, so later changes are not left over. */
  forget(name: string): void {
    this.half.delete(name);
    this.going.delete(name);
  }
}

/** The turn of a client. */
export interface TurnOf {
  readonly run: RunId;
  readonly task: TaskId;
}

/** For a whole tree of runs, or some of its runs. */
export async function leftOpen(journal: Journal, tree: readonly Snapshot[], isLeft = everyRun): Promise<LeftOpen> {
  const left = new LeftOpen();
  for (const snapshot of tree.filter(isLeft)) {
    const tasks = Object.values(snapshot.tasks).filter((task) => isGoing(task) || isWriting(task));
    if (snapshot.status === 'settled' || tasks.length === 0) continue;
    const definition = (await journal.getBody(bodyHash(snapshot.definition))) as unknown as Definition;
    const parent = tree.find(({ run }) => run === snapshot.parent);
    for (const task of tasks) {
      addTask(left, task, { snapshot, definition, parent });
      if (task.work.kind !== 'merge' || task.work.unit === undefined) continue;
      const other = await unitWorkspace(journal, snapshot, task.work.unit).catch(() => null);
      if (other !== null) left.half.add(other);
    }
  }
  return left;
}

const everyRun = (_run: Snapshot): boolean => true;

interface Around {
  readonly snapshot: Snapshot;
  readonly definition: Definition;
  readonly parent: Snapshot | undefined;
}

function addTask(left: LeftOpen, task: Task, around: Around): void {
  const { snapshot, definition, parent } = around;
  const agent = agentOf(task, around);
  const name = workspaceOf(snapshot, agent);
  if (!isGoing(task)) left.half.add(name);
  else if (isWriter(agent, definition)) left.going.set(name, { run: snapshot.run, task: task.id });
  if (task.work.kind !== 'merge') return;
  // The other side of it.
  left.half.add(task.work.agent === null ? (parent?.workspace ?? snapshot.workspace) : snapshot.workspace);
}

function agentOf({ work }: Task, { snapshot, definition }: Around): AgentSpec | null {
  const named = 'agent' in work ? (work.agent ?? null) : null;
  const name = named ?? (work.kind === 'compute' ? agentGiven(work.input) : null);
  const own =
    definition.workflow.name === snapshot.workflow ? definition.workflow : definition.library[snapshot.workflow];
  return own?.agents.find((one) => one.name === name) ?? null;
}

/** Programs that work on an agent's files get its name. */
const agentGiven = (input: Json): string | null =>
  isJsonObject(input) && typeof input['agent'] === 'string' ? input['agent'] : null;

const isWriter = (agent: AgentSpec | null, { roles }: Definition): boolean =>
  agent !== null && (roles[agent.role]?.mode ?? 'write') === 'write';

/** A client's conversation continues where it was: it is the only call that writes files. */
const isGoing = ({ turn }: Task): boolean => turn?.phase === 'calling' && turn.session !== undefined;

/** A tool or a command was announced and not answered; one that waits for a person's permission has not begun. */
function isWriting({ work, turn }: Task): boolean {
  if (work.kind === 'command' || work.kind === 'merge') return true;
  if (work.kind === 'compute') return work.writes === true;
  return isToolAtWork(turn);
}
