import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/**
 * A job as users get Troupe: one bundle, started by a stub that turns Node's compile cache on.
 * The same settings as scripts/build.mjs.
 */
export async function bundleJob(file: string, folder: string): Promise<string> {
  await build({
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: { job: file },
    platform: 'node',
    external: [/^quickjs-emscripten-core$/, /^@jitl\//],
    output: {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    },
    logLevel: 'warn',
  });
  const stub = join(folder, 'start.mjs');
  writeFileSync(
    stub,
    `import { enableCompileCache } from 'node:module';\nenableCompileCache(${JSON.stringify(join(folder, 'cache'))});\nawait import('./job.js');\n`,
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  return stub;
}
