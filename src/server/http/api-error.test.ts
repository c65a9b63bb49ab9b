import { expect, test } from 'vitest';
import type { CodeEntry } from '../../core/codes/code-entry.ts';
import { CODES, type FaultCode } from '../../core/codes/codes.ts';
import { Fault } from '../../core/model/fault.ts';
import { lossOf } from '../live/loss-of.ts';
import { errorBody, statusOf } from './api-error.ts';

test('[U2] the status of a fault follows from its code', () => {
  const wanted: Partial<Record<FaultCode, number>> = {
    USAGE: 400,
    INPUT_INVALID: 400,
    MODEL_UNKNOWN: 400,
    TOKEN_NEEDED: 401,
    HOST_FOREIGN: 403,
    PROJECT_UNTRUSTED: 403,
    RUN_UNKNOWN: 404,
    FILES_PRUNED: 404,
    REVIEW_NONE: 404,
    QUESTION_CLOSED: 409,
    RUN_BUSY: 409,
    JOURNAL_CONFLICT: 409,
    BRANCH_EXISTS: 409,
    BODY_TOO_LARGE: 413,
    JOURNAL_DAMAGED: 500,
    INTERNAL: 500,
    SERVER_BUSY: 503,
    STREAMS_FULL: 503,
  };
  expect(Object.fromEntries(Object.keys(wanted).map((code) => [code, statusOf(code as FaultCode)]))).toEqual(wanted);
});

test('[U2] only what is broken here is a 5xx', () => {
  const broken = Object.entries<CodeEntry>(CODES)
    .filter(([, { status }]) => status === 500)
    .map(([code]) => code);
  expect(broken).toEqual(expect.arrayContaining(['INTERNAL', 'JOURNAL_DAMAGED', 'STORE_DAMAGED', 'DISK_FULL']));
  expect(broken.filter((code) => /_(?:UNKNOWN|INVALID|SETTLED|MISSING)$|^USAGE$/.test(code))).toEqual([]);
});

test('[U2] a fault is reported with its hint and problems, a defect without its inside', () => {
  const problem = { code: 'INPUT_TYPE', message: 'm', severity: 'error' } as const;
  const fault = new Fault('INPUT_INVALID', 'No.', { hint: 'Do.', problems: [problem] });
  expect(errorBody(fault)).toEqual({
    error: { code: 'INPUT_INVALID', message: 'No.', hint: 'Do.', problems: [problem] },
  });
  expect(errorBody(new Fault('USAGE', 'No.'))).toEqual({ error: { code: 'USAGE', message: 'No.' } });
  expect(JSON.stringify(errorBody(new Error('/secret/path')))).not.toContain('secret');
});

test.for(['ENOSPC', 'EDQUOT'])('[P8] a full disk is DISK_FULL on the page, never INTERNAL: %s', (code) => {
  const full = Object.assign(new Error('no space left on device'), { code });
  expect(errorBody(full).error).toMatchObject({ code: 'DISK_FULL' });
  expect(lossOf('r', full)).toMatchObject({ code: 'DISK_FULL' });
  expect(errorBody(new Error('a defect')).error.code).toBe('INTERNAL');
});
