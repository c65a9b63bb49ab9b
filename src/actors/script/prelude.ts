/**
 * The isolate's side of the surface (SM5): JavaScript that runs in each fresh context before the author's script. It rebuilds
 * the methods that plain data cannot carry. It is text because it is compiled by the isolate, not by this process, and in
 * parts because every run pays for what it compiles.
 */
export function preludeFor(reads: ReadonlySet<string>, source: string): string {
  const parts = [
    BEGIN,
    reads.has('agents') || reads.has('contexts') ? COLLECTIONS : '',
    reads.has('last_parsing_tool_calls') ? SHORTHAND : '',
    /quote|evaluateExpression/.test(source) ? QUOTE : '',
    source.includes('evaluateExpression') ? EVALUATION : '',
    END,
  ];
  return parts.join('\n');
}

const BEGIN = `(function (dataText, restText) {
'use strict';
const { Promise } = globalThis;
delete Math.random;
delete globalThis.Promise;
delete globalThis.WeakRef;
delete globalThis.FinalizationRegistry;
const stringify = JSON.stringify, define = Object.defineProperty, global = globalThis;
const data = JSON.parse(dataText), rest = JSON.parse(restText);
const methods = {};
if (!Object.hasOwn(data, 'variables')) define(data, 'variables', {
  configurable: true,
  get: () => data,
  set: (value) => define(data, 'variables', { value, writable: true, enumerable: true, configurable: true }),
});`;

const COLLECTIONS = `const mapMethods = {
  get(name) { return Object.hasOwn(this, name) ? this[name] : undefined; },
  has(name) { return Object.hasOwn(this, name); },
  keys() { return Object.keys(this).values(); },
  values() { return Object.values(this).values(); },
  entries() { return Object.entries(this).values(); },
  forEach(visit) { Object.entries(this).forEach(([name, value]) => visit(value, name, this)); },
  get size() { return Object.keys(this).length; },
  [Symbol.iterator]() { return Object.entries(this).values(); },
};
const agentMethods = {
  getLastResponse() { return this.lastResponse; },
  getToolCalls() { return this.toolCalls; },
  getParsingToolCalls() { return this.parsingToolCalls; },
  getRole() { return this.role; },
  getContextRole() { return this.contextRole; },
};
const find = (collection, name, what) => {
  const key = String(name);
  if (Object.hasOwn(collection, key)) return collection[key];
  const names = Object.keys(collection).join(', ');
  throw new Error('There is no ' + what + ' \`' + key + '\` here' + (names === '' ? '.' : '; there is: ' + names + '.'));
};
if (rest.agents) {
  for (const agent of Object.values(rest.agents)) Object.setPrototypeOf(agent, agentMethods);
  Object.setPrototypeOf(rest.agents, mapMethods);
  methods.getAgent = (name) => find(rest.agents, name, 'agent');
  methods.getToolCalls = (name) => find(rest.agents, name, 'agent').toolCalls;
}
if (rest.contexts) {
  Object.setPrototypeOf(rest.contexts, mapMethods);
  methods.getContext = (name) => find(rest.contexts, name, 'context');
}`;

const SHORTHAND = `const calls = Object.create(null);
for (const call of rest.last_parsing_tool_calls) calls[call.function.name] = call.function;
global.$function = calls;`;

const QUOTE = `methods.quote = (value) => {
  if (Array.isArray(value)) return value.map((each) => methods.quote(each)).join(' ');
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError('\`quote()\` takes a text, a number, or a list of them.');
  return "'" + String(value).replaceAll("'", "'\\\\''") + "'";
};`;

const EVALUATION = `const compile = Function;
methods.evaluateExpression = (text) =>
  typeof text === 'string' ? compile('"use strict"; return (' + text + '\\n);').call(self) : text;`;

const END = `const { locals, ...roots } = rest;
const self = Object.assign(Object.create(methods), locals, roots, { common_data: data });
for (const [name, value] of Object.entries(locals ?? {})) if (!(name in global)) global[name] = value;
Object.assign(global, methods, roots, { common_data: data, variables: data, executionContext: self });
return (run, wantsPatch) => {
  const value = run.call(self);
  if (value instanceof Promise) throw new TypeError('A script cannot wait.');
  if (!wantsPatch) return stringify(value);
  const after = self.common_data;
  if (typeof after !== 'object' || after === null || Array.isArray(after)) throw new TypeError('common_data must stay an object.');
  return stringify(after);
};
})`;
