import { type Family, hasKey } from '../family.ts';
import { parseQuest } from './parse/parse-quest.ts';
import { drawnState } from './parse/quest-works.ts';

export const QUEST: Family = {
  documents: { recognises: (document) => hasKey(document, 'quest'), parse: parseQuest },
  drawnAs: drawnState,
};
