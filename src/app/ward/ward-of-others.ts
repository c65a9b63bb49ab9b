import { isJsonObject } from '../../core/json.ts';
import type { ProjectTop, WardCommand, WardName } from './ward-command.ts';
import { readObject } from './ward-of-node.ts';

/** Languages whose own tool checks every project in the same way. */
export function wardOfOthers(top: ProjectTop): readonly WardCommand[] {
  const found = TOOLS.filter(({ file }) => top.names.has(file)).flatMap(({ file, commands }) =>
    Object.entries(commands).map(([name, command]) => ({ name: name as WardName, command, from: file })),
  );
  return [...found, ...wardOfComposer(top)];
}

interface Tool {
  readonly file: string;
  readonly commands: Readonly<Partial<Record<WardName, string>>>;
}

const TOOLS: readonly Tool[] = [
  { file: 'Cargo.toml', commands: { types: 'cargo check --all-targets', test: 'cargo test' } },
  { file: 'go.mod', commands: { lint: 'go vet ./...', test: 'go test ./...' } },
  { file: 'gradlew', commands: { test: './gradlew check' } },
  { file: 'mvnw', commands: { test: './mvnw -q verify' } },
  { file: 'pom.xml', commands: { test: 'mvn -q verify' } },
  { file: 'mix.exs', commands: { test: 'mix test' } },
];

function wardOfComposer(top: ProjectTop): readonly WardCommand[] {
  const { scripts } = readObject(top.text('composer.json'));
  if (!isJsonObject(scripts)) return [];
  return (['lint', 'test'] as const)
    .filter((name) => Object.hasOwn(scripts, name))
    .map((name) => ({ name, command: `composer run ${name}`, from: 'composer.json' }));
}
