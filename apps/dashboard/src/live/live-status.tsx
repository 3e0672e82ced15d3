import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { liveWords } from './live.words.ts';
import type { Live } from './use-live.ts';

/** The state of the connection, in words. */
export function LiveStatus({ live: { state, canWrite, me } }: { live: Live }) {
  const words = useWords(liveWords);
  // Until the user's rights are known, nothing can be written.
  const sentence = {
    connecting: words.connecting,
    live: !me ? words.connecting : state.waiting > 0 ? words.sending : words.stored,
    away: words.away,
    over: words.over,
  }[state.connection];
  return (
    <Text size="xs" c="dimmed" role="status" data-connection={state.connection}>
      {sentence}
      {state.connection === 'live' && me && !canWrite && ` ${words.reading}`}
    </Text>
  );
}

/** Notices that may require an action: the session ends soon, or has ended. */
export function LiveNotices({ live, leave }: { live: Live; leave: () => void }) {
  const words = useWords(liveWords);
  const { state, session, connection } = live;
  const endsAt = state.endsAt && session && session.expires_at <= state.endsAt ? session.expires_at : null;
  const why = state.connection === 'over' && state.reason ? words[state.reason] : live.error ? words.ended : null;
  if (why !== null) {
    return (
      <Alert role="alert" color="yellow" variant="outline" radius={0} py="xs">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{why}</Text>
          {state.savedTo !== null && (
            <Text size="sm" className="breaks-anywhere">
              {words.savedTo(state.savedTo)}
            </Text>
          )}
          {connection?.unsent().map(({ path, text }) => (
            <Group key={path} gap="xs">
              <Text size="sm">{words.notSent(path)}</Text>
              <CopyButton value={text}>
                {({ copy }) => (
                  <Button size="compact-xs" variant="default" onClick={copy}>
                    {words.copyText}
                  </Button>
                )}
              </CopyButton>
            </Group>
          ))}
          <Button size="compact-xs" onClick={leave}>
            {words.goOn}
          </Button>
        </Stack>
      </Alert>
    );
  }
  if (endsAt === null) return null;
  return (
    <Alert role="status" color="yellow" variant="outline" radius={0} py="xs">
      <Text size="sm">
        {words.endsSoon} <Ago at={endsAt} />
      </Text>
    </Alert>
  );
}
