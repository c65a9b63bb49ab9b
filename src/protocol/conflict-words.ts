import { isJsonObject, type Json } from '../core/model/json.ts';

/** Why a file is in conflict, by the kind of the conflict. */
export const CONFLICT_WORDS: Readonly<Record<string, string>> = {
  content: 'you and the run changed the same lines',
  'both-added': 'you and the run both made it, with other content',
  'deleted-by-us': 'you deleted it, the run changed it',
  'deleted-by-them': 'the run deleted it, you changed it',
  mode: 'you and the run gave it other modes',
  link: 'it is a link, and you and the run made it lead elsewhere',
  type: 'it is a file on one side and a link on the other',
  binary: 'you and the run changed it, and it is not text',
  'folder-file': 'it is a folder on one side and a file on the other',
  unkept: 'its content is not stored: a special file, one that is too large or that may not be read',
  repository: 'it would be a git repository inside the project, whose settings git obeys',
  uncommitted: 'the change builds on work that you have not committed',
  filter: 'an outside program decides in what form git keeps it',
  submodule: 'it belongs to a repository inside the repository',
  changed: 'it was changed meanwhile',
  'in-the-way': 'a link or a file is where a folder should be',
  denied: 'it may not be opened',
  'not-empty': 'the folder holds something else',
  reserved: 'its name belongs to git',
};

/** The text of one side of a conflict; null where the side has none. */
export function sideText(side: Json | undefined): string | null {
  const text = isJsonObject(side) ? side['text'] : null;
  return typeof text === 'string' ? text : null;
}
