import type { Method } from './operations.ts';
import { answerTypeOf, parametersOf } from './resources.ts';
import type { TypeWriter } from './schema-types.ts';

/** A page of the guide: every method of the client, with the route that it calls. */
export function referencePage(methods: Method[], types: TypeWriter): string {
  const sections = [...Map.groupBy(methods, ({ resource }) => resource)].map(([resource, own]) => {
    const rows = own.map((method) => `| ${cells(method, types).join(' | ')} |`);
    return `## ${resource}\n\n| method | route | |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# SDK: every method

Generated from the contract by \`npm run generate -w @bottega/sdk\`. [sdk.md](sdk.md) describes calls, retries and errors. There are also
\`deployments.waitFor\`, \`deployments.followLogs\`, \`workspaces.followOutput\`, \`workspaces.waitForPort\`, \`events.subscribe\`, \`sessions.join\`, \`webhooks.sign\` and \`webhooks.verify\`. Each takes options as its last argument.

${sections.join('\n')}`;
}

function cells(method: Method, types: TypeWriter): string[] {
  const { route, resource, name, repeat } = method;
  const given = parametersOf(method, types)
    .split(', ')
    .slice(0, -1)
    .map((parameter) => parameter.replace(/: string$/, ''));
  const once = repeat === 'never' ? ' *Sent once.*' : '';
  const call = `${resource}.${name}(${given.join(', ')})`;
  const answer = answerTypeOf(method, types).replace('Promise<void>', 'nothing');
  return [`\`${call}\``, `\`${route.address}\``, `${route.summary}.${once} → \`${answer}\``];
}
