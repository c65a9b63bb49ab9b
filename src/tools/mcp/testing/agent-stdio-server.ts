// For tests: the server of agents' tools as a process of its own.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { agentFactory } from './agent-factory.ts';

serveStdio(agentFactory);
