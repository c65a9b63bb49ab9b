// Preloaded into a process of Troupe: writes down at its end what it loaded, read and started.
import { subscribe } from 'node:diagnostics_channel';
import fs, { writeFileSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

const files = new Set();
const modules = new Set();
const programs = [];

registerHooks({
  load(url, context, next) {
    modules.add(url);
    return next(url, context);
  },
});
subscribe('child_process', ({ process: child }) => programs.push(child));
const seen = (of, name) => {
  const real = of[name];
  of[name] = (path, ...rest) => {
    files.add(String(path));
    return real(path, ...rest);
  };
};
seen(fs, 'readFileSync');
seen(fs.promises, 'open');
seen(fs, 'realpathSync');
fs.realpathSync.native = fs.realpathSync;
syncBuiltinESMExports();

process.on('exit', () => {
  const builtins = process.moduleLoadList.flatMap((line) => /^NativeModule (?!internal\/)(.+)/.exec(line)?.[1] ?? []);
  const started = programs.map(({ spawnargs }) => spawnargs[0]);
  const record = { builtins, modules: [...modules], files: [...files], programs: started };
  writeFileSync(process.env.TROUPE_START_UP, JSON.stringify(record));
});
