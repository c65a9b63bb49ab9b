import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './package-files.ts';

let isOffered = false;

/** Lets a workflow module write `import { defineWorkflow } from 'troupe'` also where Troupe is not installed beside it. */
export function offerOwnPackage(): void {
  if (isOffered) return;
  isOffered = true;
  const built = join(packageRoot(), 'dist', 'index.js');
  const entry = existsSync(built) ? built : join(packageRoot(), 'src', 'index.ts');
  const { href } = pathToFileURL(entry);
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'troupe' ? { url: href, shortCircuit: true } : next(specifier, context),
  });
}
