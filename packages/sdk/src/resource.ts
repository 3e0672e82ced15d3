import { createList } from './list.ts';
import { countOfParams, type Operation, pathOf, type QueryValues, queryText } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

type Method = (...given: unknown[]) => unknown;

/** Creates the methods of operations. Their arguments are the path values, then the query or the body, then options. */
export function createResource<Resource>(transport: Transport, operations: Record<string, Operation>): Resource {
  const methods = Object.entries(operations).map(([name, operation]): [string, Method] => [
    name,
    (...given) => call(transport, operation, given),
  ]);
  return Object.fromEntries(methods) as Resource;
}

function call(transport: Transport, operation: Operation, given: unknown[]): unknown {
  const count = countOfParams(operation.address);
  const { method, path } = pathOf(operation.address, given);
  const input = operation.input && given[count];
  const options = given[operation.input ? count + 1 : count] as CallOptions | undefined;
  const request = { method, repeat: operation.repeat, ...(operation.input === 'body' && jsonBody(input)) };
  if (operation.items !== undefined) {
    const ask = (query: string) => transport.send({ ...request, path: path + query, read: 'json' }, options);
    const { items, hasOffset = false } = operation;
    return createList({ items, hasOffset, query: (input ?? {}) as QueryValues, ask });
  }
  const query = operation.input === 'query' ? queryText(input as QueryValues) : '';
  const read = operation.answer === 'bytes' ? 'response' : (operation.answer ?? 'json');
  return transport.send({ ...request, path: path + query, read }, options).then(({ body }) => body);
}

export function jsonBody(input: unknown): { body?: string; headers?: Record<string, string> } {
  return input === undefined ? {} : { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } };
}
