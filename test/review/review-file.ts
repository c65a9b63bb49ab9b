import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '../../src/core/model/definition.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { parseReview } from '../../src/formats/review/parse/parse-review.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { readDocument } from '../../src/source/read-document.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/bech32');

/** The user's project: vectors, a test, and nothing that passes it. */
export function exampleFiles(): Readonly<Record<string, string>> {
  const names = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.map((path) => [path.slice(EXAMPLE.length + 1), readFileSync(path, 'utf8')]));
}

export const TASK =
  'Make a from-scratch bech32 implementation in src/bech32.ts. Use the test vectors. Test it thoroughly.';

/** The real tests, in TypeScript. */
const TESTS = 'node --test "test/*.test.ts"';

export interface FileOptions {
  readonly verify?: string;
  readonly reviewers?: string;
  /** Further lines of the file. */
  readonly extra?: string;
}

export const reviewFile = ({ verify = TESTS, reviewers = 'smart, base', extra = '' }: FileOptions = {}): string =>
  `name: bech32\nimplementers: [base, smart, fast]\nreviewers: [${reviewers}]\nverify: ${verify}\n${extra}`;

export async function definitionOf(text: string): Promise<Definition> {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'w.yml' }), 'INTERNAL');
  const workflows = valueOrFault(parseReview(document, { file: 'w.yml', locate }), 'INTERNAL');
  const { roles } = await loadShipped();
  return valueOrFault(buildDefinition(workflows[0]?.name ?? '', workflows, mergeRoles(roles)), 'INTERNAL');
}
