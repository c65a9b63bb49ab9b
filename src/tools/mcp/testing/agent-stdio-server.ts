// For tests: the server of agents' tools as a separate process.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { agentFactory } from './agent-factory.ts';

serveStdio(agentFactory);
