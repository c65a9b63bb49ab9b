import type { Activity, SessionNoted, UnitMoved } from '../../core/record/agent-fact.ts';
import type { Failure } from '../../core/model/outcome.ts';
import { localTime, tokens } from '../../protocol/amounts.ts';
import type { Style } from './colour.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** A line about a client; `inside`: the sub-agents below which it happened, the outermost first. */
export interface AgentLine {
  readonly inside: readonly string[];
  readonly text: string;
  readonly style: Style;
}

/** Describes what a client does in one turn. It remembers sub-agents, since what they do names them only by id. */
export class AgentStory {
  readonly #minions = new Map<string, Pick<Activity, 'name' | 'parent'>>();
  readonly #shown = new Set<string>();

  /** The lines for what is new; work that continues gets its line when it has ended. */
  lines(items: readonly Activity[]): readonly AgentLine[] {
    return items.flatMap((item): readonly AgentLine[] => {
      if (item.kind === 'minion') this.#minions.set(item.id, item);
      const line = activityText(item);
      const moment = `${item.id} ${item.status}`;
      if (line === null || this.#shown.has(moment)) return [];
      this.#shown.add(moment);
      return [{ inside: this.#inside(item.parent), text: line, style: styleOf(item) }];
    });
  }

  #inside(parent: string | undefined): readonly string[] {
    const way: string[] = [];
    for (let id = parent; id !== undefined && way.length < DEEPEST; id = this.#minions.get(id)?.parent) {
      way.unshift(oneLine(this.#minions.get(id)?.name ?? 'agent', 40));
    }
    return way;
  }
}

/** A client chooses the ids; they need not form a tree. */
const DEEPEST = 8;

const activityText = (item: Activity): string | null => TEXTS[item.kind](item);

const TEXTS: Readonly<Record<Activity['kind'], (item: Activity) => string | null>> = {
  tool: (item) => (item.status === 'running' ? null : `${MARKS[item.status]} ${toolText(item)}${whyNot(item)}`),
  minion: ({ status, name, text, usage }) => {
    const used = usage === undefined || status === 'running' ? '' : ` (${tokens(usage)})`;
    return oneLine(`${MARKS[status]} sub-agent ${named(name, text)}`, 160) + used;
  },
  retry: ({ name, text }) => oneLine(`↻ ${named(name, text)}`, 300),
  notice: ({ name, text = name }) => oneLine(text, 300),
};

const named = (name: string, text = ''): string => (text === '' ? name : `${name}: ${text}`);

const whyNot = ({ status }: Activity): string => (status === 'denied' ? ': not allowed' : '');

const MARKS: Readonly<Record<Activity['status'], string>> = { running: '→', ok: '✓', failed: '✗', denied: '✗' };

const toolText = ({ name, text = '' }: Activity): string => oneLine(`${name} ${text}`, 120);

function styleOf({ kind, status }: Activity): Style {
  if (kind === 'retry') return 'yellow';
  return status === 'failed' || status === 'denied' ? 'yellow' : 'dim';
}

/** A client's present activity, from its last report; null when that is over. */
export function doingText(items: readonly Activity[]): string | null {
  const running = items.findLast(({ status }) => status === 'running');
  if (running === undefined) return null;
  return running.kind === 'minion'
    ? `has started ${oneLine(running.name, 40)}`
    : `using ${oneLine(toolText(running), 60)}`;
}

export function sessionText({ actor, session, how }: Omit<SessionNoted, 'kind' | 'task' | 'agent'>): string {
  const id = oneLine(session);
  if (how === 'new') return `begins as ${actor}, session ${id}`;
  return how === 'resumed'
    ? `continues session ${id} of ${actor}`
    : `continues in a copy of its session, ${id} of ${actor}`;
}

export function movedText({ to }: UnitMoved): string | null {
  if (to === 'resting') return 'waits, and leaves its slot to others meanwhile';
  return to === 'running' ? 'has a slot again' : null;
}

/** Null where no quota is waited for. */
export function quotaText(failure: Failure, retryAt: number | null, now: number): string | null {
  if (failure.class !== 'quota' || retryAt === null) return null;
  return `waits for quota until ${clockTime(retryAt, now)}`;
}

/** Hours and minutes; with the day where it is not today. */
export function clockTime(at: number, now: number): string {
  const [day = '', time = ''] = localTime(at).split(' ');
  const short = time.slice(0, 5);
  return localTime(now).startsWith(day) ? short : `${day} ${short}`;
}
