import type { DeliveryDetail } from '@bottega/contract';
import { ActionIcon, CopyButton, Group, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Reason } from '../kit/reason.tsx';
import { useWords } from '../words/words.tsx';
import { readable } from './body-text.ts';
import { deliveriesWords } from './deliveries.words.ts';

export type Attempt = DeliveryDetail['attempt_log'][number];
/** Largest part of a response that the service stores, in characters. */
const maxKept = 16_384;

/** The request and the response, including headers. */
export function AttemptDetail({ attempt }: { attempt: Attempt }) {
  const words = useWords(deliveriesWords);
  const { request, response, error } = attempt;
  return (
    <Stack gap="md">
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          <Reason field="error" of={attempt} />
        </Text>
      )}
      <Message title={words.request} headers={request.headers} body={request.body} />
      {response ? (
        <Message
          title={words.response}
          headers={response.headers}
          body={response.body}
          isCut={response.body.length >= maxKept}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {words.noResponse}
        </Text>
      )}
    </Stack>
  );
}

type MessageProps = { title: string; headers: Record<string, string>; body: string; isCut?: boolean };

function Message({ title, headers, body, isCut = false }: MessageProps) {
  const words = useWords(deliveriesWords);
  return (
    <section aria-label={title}>
      <Title order={3} mb={6}>
        {title}
      </Title>
      <Stack gap="xs">
        <dl className="header-list" aria-label={words.headers}>
          {Object.entries(headers).map(([name, value]) => (
            <Pair key={name} name={name} value={value} />
          ))}
        </dl>
        {body === '' ? (
          <Text size="xs" c="dimmed">
            {words.emptyBody}
          </Text>
        ) : (
          <BodyText body={body} />
        )}
        {isCut && (
          <Text size="xs" c="dimmed">
            {words.cut}
          </Text>
        )}
      </Stack>
    </section>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

export function BodyText({ body }: { body: string }) {
  const words = useWords(deliveriesWords);
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className="code-block" tabIndex={0} style={{ flex: 1, minWidth: 0 }}>
        {readable(body)}
      </pre>
      <CopyButton value={body}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? words.copied : words.copyBody}>
            <ActionIcon variant="default" onClick={copy} aria-label={words.copyBody}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
