import type { Reply } from './play.ts';

/** Replies that tests of the shipped workflows use again and again. */
export const APPROVED: Reply = { metadata: { verdict: 'APPROVED', summary: 'good', issues: [] } };
export const NEEDS_REVISION: Reply = {
  metadata: { verdict: 'NEEDS_REVISION', summary: 'gaps', issues: [{ description: 'a gap' }] },
};
export const REJECTED: Reply = { body: 'beyond repair', metadata: { verdict: 'REJECTED', summary: 'no', issues: [] } };
export const CODE: Reply = { metadata: { kind: 'code', files: ['src/a.ts'], summary: 'built' } };
export const DOCUMENTATION: Reply = {
  metadata: { kind: 'documentation', files: ['docs/a.md'], summary: 'documented' },
};

export const finding = (claim: string): Reply => ({
  metadata: { findings: [{ claim, confidence: 'high', sources: ['https://example.com'] }], summary: claim },
});
