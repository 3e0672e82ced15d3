import type { WebhookFormat } from '@bottega/contract';
import { Accordion } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../words/words.tsx';
import { formWords } from './form.words.ts';
import { eventTypesQuery } from './webhooks-query.ts';

/** An example of the first chosen event, from the catalogue. */
export function MessageExample({ format, chosen }: { format: WebhookFormat; chosen: readonly string[] }) {
  const words = useWords(formWords);
  const { data: types } = useQuery(eventTypesQuery);
  const [first] = chosen;
  const type =
    types?.find(({ formats }) => formats[format].name === first) ??
    types?.find(({ formats }) => first?.endsWith('.*') && formats[format].name.startsWith(first.slice(0, -1))) ??
    types?.[0];
  if (!type || first === undefined) return null;
  return (
    <Accordion variant="contained">
      <Accordion.Item value="example">
        <Accordion.Control>
          {words.example}: {type.formats[format].name}
        </Accordion.Control>
        <Accordion.Panel>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <pre className="code-block" tabIndex={0}>
            {JSON.stringify(type.formats[format].example, null, 2)}
          </pre>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
