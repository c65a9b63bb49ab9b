import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { isSecretName, looksLikeKey } from '../../secrets/secret-value.ts';
import type { McpEndpoint } from '../../tools/mcp/endpoint.ts';
import type { WebSearchSettings } from '../../tools/web/settings.ts';
import type { Config, ModelChoice } from '../config/config.ts';
import { addCredential } from './environment-secrets.ts';

/** Adds what the settings name: keys of models, headers, keys in addresses, variables that programs are lent. */
export function addConfigSecrets(secrets: KnownSecrets, config: Config, environment: NodeJS.ProcessEnv): void {
  for (const choice of Object.values(config.models)) addModel(secrets, choice, environment);
  const endpoints = [searchOf(config.webSearch), ...Object.values(config.mcp)];
  for (const endpoint of endpoints) addEndpoint(secrets, endpoint, environment);
  const lent = [
    ...endpoints.flatMap(({ env = [] }) => env),
    ...Object.values(config.actors.acp ?? {}).flatMap(({ env }) => env),
  ];
  for (const name of lent) addNamed(secrets, name, environment[name] ?? '');
}

function addEndpoint(secrets: KnownSecrets, endpoint: McpEndpoint, environment: NodeJS.ProcessEnv): void {
  const { headers, url = '', apiKeyEnv } = endpoint;
  addHeaders(secrets, headers);
  for (const [name, value] of URL.parse(url)?.searchParams ?? []) addNamed(secrets, name, value);
  if (apiKeyEnv !== undefined) secrets.add(apiKeyEnv, environment[apiKeyEnv]);
}

function addModel(secrets: KnownSecrets, choice: ModelChoice, environment: NodeJS.ProcessEnv): void {
  if (choice.kind !== 'api') return;
  if (choice.apiKeyEnv !== null) secrets.add(choice.apiKeyEnv, environment[choice.apiKeyEnv]);
  addHeaders(secrets, choice.config.headers);
}

function searchOf(settings: WebSearchSettings | null): McpEndpoint {
  if (settings === null) return {};
  return 'mcp' in settings ? settings.mcp : { url: settings.url, ...('headers' in settings ? settings : {}) };
}

function addHeaders(secrets: KnownSecrets, headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isSecretName(name) || looksLikeKey(value)) addCredential(secrets, name, value);
  }
}

/** Settings such as a region stand beside keys, and are no secrets. */
function addNamed(secrets: KnownSecrets, name: string, value: string): void {
  if (isSecretName(name) || looksLikeKey(value)) secrets.add(name, value);
}
