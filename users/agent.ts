import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { installation } from './people.ts';

export type Agent = {
  tools(): Promise<string[]>;
  /** Throws if the tool reports a failure. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
};

/** A program that speaks MCP with the official library, with a key or an access token. */
export async function newAgent(token: string, address = '/mcp?access=write'): Promise<Agent> {
  const client = new Client({ name: 'story', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(installation().url + address), { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args) {
      const answer = await client.callTool({ name, arguments: args });
      const text = JSON.stringify(answer.content);
      if (answer.isError) throw new Error(text);
      return text;
    },
    close: () => client.close(),
  };
}
