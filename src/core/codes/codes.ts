import type { CodeEntry } from './code-entry.ts';
import { FILE_CODES } from './file-codes.ts';
import { FORMAT_CODES } from './format-codes.ts';
import { JOURNAL_CODES } from './journal-codes.ts';
import { MODEL_CODES } from './model-codes.ts';
import { RUN_CODES } from './run-codes.ts';
import { SERVER_CODES } from './server-codes.ts';
import { TOOL_CODES } from './tool-codes.ts';
import { WORKFLOW_CODES } from './workflow-codes.ts';

/** Every code of a fault, of a failure and of a refused tool call, with everything that depends on the code. */
export const CODES = {
  ...RUN_CODES,
  ...JOURNAL_CODES,
  ...FILE_CODES,
  ...WORKFLOW_CODES,
  ...FORMAT_CODES,
  ...MODEL_CODES,
  ...TOOL_CODES,
  ...SERVER_CODES,
} as const;

export type FaultCode = keyof typeof CODES;

declare const chosen: unique symbol;

/** A code that the author of a workflow chose for a failure. */
export type WorkflowCode = string & { readonly [chosen]: true };

export type FailureCode = FaultCode | WorkflowCode;

export const workflowCode = (text: string): FailureCode => text as WorkflowCode;

/** Narrows a text from outside, such as another process. */
export const isFaultCode = (text: string): text is FaultCode => Object.hasOwn(CODES, text);

export const faultCodeOf = (text: string): FaultCode => (isFaultCode(text) ? text : 'INTERNAL');

/** A program in plain JavaScript may have thrown an unknown code. */
export const codeEntry = (code: FaultCode): CodeEntry => CODES[faultCodeOf(code)];
