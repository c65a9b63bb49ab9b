import type { Activity } from '../../core/record/agent-fact.ts';
import { type JsonObject, parseObject } from '../../core/model/json.ts';
import type { StoryListener } from './client-turn.ts';

/** Collects the lines of one turn. Ignores unknown kinds of lines: new ones appear every month. */
export abstract class TurnStory {
  unreadable = 0;
  protected readonly listener: StoryListener;

  constructor(listener: StoryListener) {
    this.listener = listener;
  }

  notice(id: string, text: string, status: Activity['status'] = 'failed'): void {
    this.report({ id: `notice-${id}`, kind: 'notice', name: 'notice', status, text });
  }

  noteUnreadable(line: string): void {
    this.unreadable += 1;
    const begin = line.replace(/\s+/g, ' ').slice(0, 100);
    this.notice('unreadable', `${this.unreadable} lines could not be understood, the last one: ${begin}`);
  }

  protected report(activity: Activity): void {
    this.listener.onActivity(activity);
  }
}

/** A story whose lines each say what they are by their `type`. */
export abstract class TypedLineStory extends TurnStory {
  protected abstract readonly readers: Readonly<Record<string, (line: JsonObject) => void>>;

  /** Null for a line outside the protocol. */
  read(line: string): JsonObject | null {
    const said = parseObject(line);
    if (said !== null && typeof said['type'] === 'string') {
      this.readers[said['type']]?.(said);
      return said;
    }
    this.noteUnreadable(line);
    return null;
  }
}
