import { defineTool, objectSchema } from './define-tool.ts';
import { KnowledgeIndex } from './knowledge/knowledge-index.ts';
import type { KnowledgeAnswer, KnowledgeQuestion, Passage, ToolContext } from './port.ts';

export const searchKnowledgeTool = defineTool<{ query: string; limit?: number }>({
  name: 'search_knowledge',
  description:
    "Search the project's documents by words; the best passages come first. Quote words that belong together. Use grep for code.",
  parameters: objectSchema(['query'], {
    query: { type: 'string', minLength: 1, maxLength: 1000 },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Default: 6' },
  }),
  repeat: 'safe',
  access: 'read',
  async run({ query, limit = 6 }, context) {
    const answer = await ask(context, { query, limit, signal: context.signal });
    if (answer.documents === 0 && answer.leftOut.length === 0) return 'The project has no documents.';
    const found = answer.passages.map((passage) => shown(passage));
    if (found.length === 0) found.push(`Nothing in ${answer.documents} documents fits. Try other words.`);
    return [...found, ...leftOut(answer.leftOut)].join('\n\n');
  },
});

/** Without an index that is kept, one for this question alone. */
async function ask({ folder, services }: ToolContext, question: KnowledgeQuestion): Promise<KnowledgeAnswer> {
  if (services?.knowledge !== undefined) return services.knowledge.search(folder, question);
  const index = new KnowledgeIndex();
  try {
    return await index.search(folder, question);
  } finally {
    await index.close();
  }
}

function shown({ path, line, heading, lines }: Passage): string {
  const last = line + lines.length - 1;
  const under = heading === '' ? '' : ` (${heading})`;
  return [`${path}:${line}-${last}${under}`, ...lines.map((text, at) => `${line + at}: ${text}`)].join('\n');
}

function leftOut(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [`[not searched: ${paths.length} documents, such as ${paths.slice(0, 5).join(', ')}]`];
}
