import { isFault, type Fault } from '../../core/fault.ts';
import type { ApiError } from '../../protocol/web/api-error.ts';
import { faultToMend } from '../../workspace/store/store-fault.ts';

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503;

/** Those whose name does not say it. */
const BY_CODE: Readonly<Record<string, ErrorStatus>> = {
  TOKEN_NEEDED: 401,
  SIGN_IN_NEEDED: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_REVOKED: 401,
  ROLE_NEEDED: 403,
  RATE_LIMITED: 429,
  STREAMS_LIMITED: 429,
  HOST_FOREIGN: 403,
  ORIGIN_FOREIGN: 403,
  ORIGIN_NEEDED: 403,
  PROJECT_UNTRUSTED: 403,
  BODY_TOO_LARGE: 413,
  ARTIFACT_LARGE: 413,
  FILE_LARGE: 413,
  BODY_NOT_JSON: 415,
  FILES_PRUNED: 404,
  ARTIFACT_NOT_KEPT: 404,
  STATE_NOT_KEPT: 404,
  FILES_NOT_KEPT: 404,
  TREE_GONE: 404,
  QUESTION_CLOSED: 409,
  ANSWER_VOID: 409,
  RUN_SETTLED: 409,
  RUN_IS_CHILD: 409,
  RUN_OPEN: 409,
  RUN_ARCHIVED: 409,
  RUN_NOT_ARCHIVED: 409,
  RESULT_NONE: 409,
  RESULT_DELIVERED: 409,
  RESULT_DISCARDED: 409,
  RESULT_NOT_DISCARDED: 409,
  RUN_NOT_DRIVEN: 409,
  FORK_AT_END: 409,
  NOT_TAKEN: 409,
  NOT_IN_CONFLICT: 409,
  LEASE_LOST: 409,
  LIMIT_REACHED: 409,
  RUN_WAITS: 409,
  CONFIRM_NEEDED: 409,
  DEFINITION_MISFIT: 409,
  DEFINITION_UNUSABLE: 409,
  INTERNAL: 500,
  SERVER_BUSY: 503,
  STREAMS_FULL: 503,
  DISK_FULL: 500,
  DETACH_FAILED: 500,
  SETUP_FAILED: 500,
  GIT_FAILED: 500,
  RESOURCE_EXHAUSTED: 500,
  STORE_UNWRITABLE: 500,
  HOME_UNWRITABLE: 500,
  MODEL_UNKNOWN: 400,
  ACTOR_UNKNOWN: 400,
};

const BY_ENDING: readonly (readonly [ending: RegExp, status: ErrorStatus])[] = [
  [/_DAMAGED$|^JOURNAL_(?:TRUNCATED|NEWER|IO|FOREIGN|EMPTY|CLOSED|FULL)$/, 500],
  [/_(?:BUSY|CONFLICT|EXISTS|AMBIGUOUS|TWICE)$/, 409],
  [/_(?:UNKNOWN|MISSING|NONE|GONE)$/, 404],
];

/** What is not known is what somebody must mend in what was sent or in a file. */
export function statusOf(code: string): ErrorStatus {
  return BY_CODE[code] ?? BY_ENDING.find(([ending]) => ending.test(code))?.[1] ?? 400;
}

export function errorBody(error: unknown): ApiError {
  const fault = isFault(error) ? error : faultToMend(error, 'the disk');
  if (fault === null)
    return { error: { code: 'INTERNAL', message: 'Something went wrong in the server.', hint: DEFECT } };
  return { error: { code: fault.code, message: fault.message, ...hintOf(fault), ...problemsOf(fault) } };
}

const DEFECT =
  'This is a defect of Troupe. Set TROUPE_DEBUG=1 where the server was started to see where it comes from.';

const hintOf = ({ hint }: Fault): { readonly hint?: string } => (hint === undefined ? {} : { hint });

const problemsOf = ({ problems }: Fault): { readonly problems?: Fault['problems'] } =>
  problems.length === 0 ? {} : { problems };
