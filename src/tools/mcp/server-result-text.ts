import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';

/** What a server's tool returned, as text for the agent. Pictures and sounds are named, not sent. */
export function serverResultText({ content, structuredContent }: CallToolResult): string {
  const text = content.map(blockText).join('\n').trim();
  if (text !== '') return text;
  return structuredContent === undefined ? '(It returned nothing.)' : JSON.stringify(structuredContent);
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${block.data.length} characters of base64: not shown]`;
    case 'resource_link':
      return `[resource ${block.uri}: ${block.name}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}: not text, not shown]`;
    default:
      return '[content of an unknown kind: not shown]';
  }
}
