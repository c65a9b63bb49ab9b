import type { NewUnit } from '../core/record/task-fact.ts';
import { isJsonObject } from '../core/model/json.ts';
import { oneLine } from './plain-text.ts';

const LONGEST = 40;

/** Names a unit of a pool. A numbered unit, such as `0` or `item_2`, is named after its item. */
export function unitName({ id, item }: Pick<NewUnit, 'id' | 'item'>): string {
  if (!/^([a-z]+_)?\d+$/i.test(id)) return id;
  const about = isJsonObject(item) ? (item['title'] ?? item['text']) : item;
  const name = typeof about === 'string' ? oneLine(about.slice(0, LONGEST * 4), LONGEST) : '';
  return name === '' ? id : name;
}
