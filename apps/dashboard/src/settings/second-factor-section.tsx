import type { NewSecondFactor, RecoveryCodes } from '@bottega/contract';
import { Alert, Anchor, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { api, once } from '../api/client.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { Loading } from '../kit/loading.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal, toast } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { ConfirmWithPassword } from './confirm-with-password.tsx';
import { secondFactorQuery } from './second-factor-query.ts';
import { securityWords } from './security.words.ts';

type Step = 'set-up' | 'remove' | 'codes' | null;

export function SecondFactorSection() {
  const words = useWords(securityWords);
  const client = useQueryClient();
  const factor = useQuery(secondFactorQuery);
  const [step, setStep] = useState<Step>(null);
  const [begun, setBegun] = useState<NewSecondFactor | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const readAnew = () => client.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  const close = () => setStep(null);

  return (
    <Section title={words.factor} hint={words.factorHint}>
      <Refusal error={factor.error} retry={factor.refetch} />
      {factor.isPending && <Loading lines={2} />}
      {codes && <Codes codes={codes} kept={() => setCodes(null)} />}
      {begun && !codes && (
        <EnterCode
          begun={begun}
          confirmed={async ({ recovery_codes: made }) => {
            setBegun(null);
            setCodes(made);
            await readAnew();
          }}
        />
      )}
      {factor.data && !begun && !codes && (
        <Stack align="flex-start" gap="xs">
          <Text size="sm">
            {factor.data.enabled ? `${words.on} ${words.codesLeft(factor.data.recovery_codes_left)}` : words.off}
          </Text>
          {factor.data.enabled ? (
            <Group gap="xs">
              <Button variant="default" onClick={() => setStep('codes')}>
                {words.newCodes}
              </Button>
              <Button variant="default" onClick={() => setStep('remove')}>
                {words.remove}
              </Button>
            </Group>
          ) : (
            <Button variant="default" onClick={() => setStep('set-up')}>
              {words.setUp}
            </Button>
          )}
        </Stack>
      )}
      {step === 'set-up' && (
        <ConfirmWithPassword
          title={words.setUp}
          yes={words.confirm}
          close={close}
          act={async (confirmation) =>
            setBegun(await api.post<NewSecondFactor>('/auth/second-factor', confirmation, once()))
          }
        />
      )}
      {step === 'codes' && (
        <ConfirmWithPassword
          title={words.newCodes}
          yes={words.confirm}
          close={close}
          act={async (confirmation) => {
            const made = await api.post<RecoveryCodes>('/auth/second-factor/recovery-codes', confirmation, once());
            setCodes(made.recovery_codes);
            await readAnew();
          }}
        />
      )}
      {step === 'remove' && (
        <ConfirmWithPassword
          title={words.remove}
          yes={words.remove}
          isDangerous
          close={close}
          act={async (confirmation) => {
            await api.post('/auth/second-factor/remove', confirmation);
            toast(words.removed);
            await readAnew();
          }}
        />
      )}
    </Section>
  );
}

type EnterProps = { begun: NewSecondFactor; confirmed: (codes: RecoveryCodes) => Promise<void> };

function EnterCode({ begun, confirmed }: EnterProps) {
  const words = useWords(securityWords);
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => api.post<RecoveryCodes>('/auth/second-factor/confirm', { code }),
    onSuccess: confirmed,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <Stack maw={480}>
        <Text size="sm">{words.scan}</Text>
        {/* Black on white in either theme: many readers know nothing else. */}
        <QRCodeSVG
          value={begun.otpauth_url}
          size={176}
          marginSize={4}
          role="img"
          aria-label={words.picture}
          className="surface"
        />
        <CopyLine label={words.secret} value={begun.secret} />
        <Anchor href={begun.otpauth_url} size="sm">
          {words.openApp}
        </Anchor>
        <TextInput
          label={words.sixDigits}
          description={words.enterCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Refusal error={confirm.error} />
        <Button type="submit" loading={confirm.isPending} style={{ alignSelf: 'flex-start' }}>
          {words.confirm}
        </Button>
      </Stack>
    </form>
  );
}

function Codes({ codes, kept }: { codes: string[]; kept: () => void }) {
  const words = useWords(securityWords);
  return (
    <Alert color="green" variant="outline" role="status" styles={{ body: { minWidth: 0 } }}>
      <Stack>
        <Text size="sm">{words.codes}</Text>
        <SimpleGrid cols={2} spacing={4} aria-label={words.codesLabel}>
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </SimpleGrid>
        <CopyLine label={words.codesLabel} value={codes.join(' ')} />
        <Button variant="default" onClick={kept} style={{ alignSelf: 'flex-start' }}>
          {words.kept}
        </Button>
      </Stack>
    </Alert>
  );
}
