import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OwnPackage } from './tool-box.ts';

/** The folder Troupe itself is installed in, whether this code runs from its sources or from the bundle. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

export const schemaFolder = (): string => join(packageRoot(), 'schemas');

let isOffered = false;

/** Lets a workflow module import `troupe`, with everything its manifest exports, even without an installed copy. */
export function offerOwnPackage(): void {
  if (isOffered) return;
  isOffered = true;
  const entries = new Map(
    Object.entries(exportsOf(packageRoot())).flatMap(([name, exported]) =>
      typeof exported === 'string' ? [] : [[join('troupe', name), pathToFileURL(entryOf(exported)).href]],
    ),
  );
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = entries.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
  });
}

type Exported = string | { readonly types: string; readonly default: string };

const exportsOf = (root: string): Readonly<Record<string, Exported>> =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, Exported> }).exports;

/** The bundle, else the source that its types are made of. */
function entryOf({ types, default: built }: Exclude<Exported, string>): string {
  const [root, source] = [packageRoot(), types.replace('./dist/types/', './src/').replace(/\.d\.ts$/, '.ts')];
  return join(root, existsSync(join(root, built)) ? built : source);
}

/** The file that an import of `troupe` loads, and everything it must read. The bundle includes its packages, the sources do not. */
export function ownPackage(): OwnPackage {
  const root = packageRoot();
  const [manifest, built, sources] = [join(root, 'package.json'), join(root, 'dist'), join(root, 'src')];
  if (existsSync(join(built, 'index.js'))) return { entry: join(built, 'index.js'), folders: [manifest, built] };
  return { entry: join(sources, 'index.ts'), folders: [manifest, sources, join(root, 'node_modules')] };
}
