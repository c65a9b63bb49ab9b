import type { Unbegun } from './files-fact.ts';
import type { TreeId } from '../model/ids.ts';
import type { Json } from '../model/json.ts';

/** The files of workspaces at one moment: the tree that each of them held. */
export type FileMarks = Readonly<Record<string, TreeId>>;

/** Where a person's answer was given. An agent has none of these, so its text is never an answer ([V3]). */
export type Surface = (typeof SURFACES)[number];

export const SURFACES = ['terminal', 'script', 'page', 'mcp', 'library'] as const;

/**
 * The files that an approval is asked for. Written when it is asked, and again when an answer came and the files had changed
 * since: that answer is void, and the question stands for the files of this record.
 */
export interface QuestionAsked {
  readonly kind: 'question.asked';
  readonly question: string;
  readonly files: FileMarks;
  readonly refused?: Pick<QuestionAnswered, 'answer' | 'by' | 'via'>;
}

export interface QuestionAnswered {
  readonly kind: 'question.answered';
  readonly question: string;
  readonly answer: Json;
  readonly by: string;
  readonly via?: Surface;
  /** Distinguishes it from another answer with the same text: its author learns whether it counted. */
  readonly answerId?: string;
  /** The mark of the files that it was given for; absent where the question is about no files. */
  readonly mark?: string;
  /** Written while no process drove the run: work that the answer led to and that the next driver begins. */
  readonly unbegun?: readonly Unbegun[];
}

/**
 * On a question that only a person decides, also where it takes any text: for the files as they were when it was asked or, if
 * the person is to change them first, as they are at the answer. A question with choices is as asked by default.
 */
export type Approves = (typeof APPROVES)[number];

export const APPROVES = ['as-asked', 'as-answered'] as const;

/** What a choice means, for the person who decides. */
export interface ChoiceDetail {
  /** The choice that it describes. */
  readonly answer: string;
  /** The text of its button; default: the answer. */
  readonly label?: string;
  /** What speaks for and against it, in markdown. */
  readonly description?: string;
  /** The workspace whose changes are chosen. Choices with the same workspace are shown on one card. */
  readonly workspace?: string;
}

/** Whether an answer is an approval, instead of information or more to be spent ([V3]). */
export const isApproval = ({ kind, choices = [], approves }: AskedKind): boolean =>
  kind === 'permission' || (kind === 'ask' && (choices.length > 0 || approves !== undefined));

interface AskedKind {
  readonly kind: string;
  readonly choices?: readonly string[];
  readonly approves?: Approves;
}

/** One word for the files that a question is about, to be named with its answer. */
export const filesMark = (files: FileMarks): string =>
  Object.entries(files)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, tree]) => tree)
    .join('+');
