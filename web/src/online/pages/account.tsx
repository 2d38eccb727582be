// Who one is here: a guest who may become an account and keeps the games; an account with its ratings, its data, its end.

import { signal, useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Page } from '../../app/routes';
import { download } from '../../ui/copyable';
import { say } from '../../words/say';
import { getText, post } from '../api';
import { askMe, me } from '../me';
import { reopen } from '../socket';
import { troubleText } from '../trouble';

const said = signal(''); // what has just been done
const trouble = signal(''); // that nothing could be said of this person at all

async function load(): Promise<void> {
  trouble.value = '';
  try {
    await askMe();
  } catch (error) {
    trouble.value = troubleText(error);
  }
}

interface FieldProps {
  label: string;
  value: Signal<string>;
  kind: 'text' | 'password' | 'email';
  complete: string;
  pattern?: string;
  least?: number;
  most?: number;
  optional?: boolean;
  help?: string;
}

let lastId = 0;

function Field({ label, value, kind, complete, pattern, least, most, optional, help }: FieldProps) {
  const id = useSignal(`field-${++lastId}`).value;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type={kind}
        required={!optional}
        autocomplete={complete as 'username'}
        autocapitalize="none"
        spellcheck={false}
        pattern={pattern}
        minLength={least}
        maxLength={most}
        value={value.value}
        aria-describedby={help ? id : undefined}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      {help && (
        <small id={id} class="quiet">
          {help}
        </small>
      )}
    </label>
  );
}

interface FormProps {
  title: string;
  button: string;
  children: ComponentChildren;
  act(): Promise<string>;
}

/** A form that does one thing; what it did, or why not, is said below it. */
function Form({ title, button, children, act }: FormProps) {
  const wrong = useSignal('');
  const busy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    wrong.value = '';
    said.value = '';
    busy.value = true;
    try {
      said.value = await act();
    } catch (error) {
      wrong.value = troubleText(error);
    }
    busy.value = false;
  };
  return (
    <form class="account-form" onSubmit={(event) => void submit(event)}>
      <h2>{title}</h2>
      {children}
      <p class="quiet bad" role="alert">
        {wrong.value}
      </p>
      <button type="submit" class="main" disabled={busy.value}>
        {button}
      </button>
    </form>
  );
}

const namePattern = '[A-Za-z][A-Za-z0-9_\\-]{1,19}';

function Register() {
  const name = useSignal('');
  const password = useSignal('');
  const email = useSignal('');
  const act = async () => {
    await post('register', { name: name.peek(), password: password.peek(), ...(email.peek() ? { email: email.peek() } : {}) });
    await askMe();
    reopen();
    return say('net.account.made', { name: name.peek() });
  };
  return (
    <Form title={say('net.account.make')} button={say('net.account.make')} act={act}>
      <p class="quiet">{say('net.account.keeps')}</p>
      <Field label={say('net.name')} value={name} kind="text" complete="username" pattern={namePattern} least={2} most={20} help={say('net.name.help')} />
      <Field label={say('net.password')} value={password} kind="password" complete="new-password" least={8} most={200} help={say('net.password.help')} />
      <Field label={say('net.email')} value={email} kind="email" complete="email" optional help={say('net.email.help')} />
    </Form>
  );
}

function Login() {
  const name = useSignal('');
  const password = useSignal('');
  const act = async () => {
    await post('login', { name: name.peek(), password: password.peek() });
    await askMe();
    reopen();
    return say('net.account.in', { name: name.peek() });
  };
  return (
    <Form title={say('net.account.login')} button={say('net.account.login')} act={act}>
      <Field label={say('net.name')} value={name} kind="text" complete="username" />
      <Field label={say('net.password')} value={password} kind="password" complete="current-password" />
    </Form>
  );
}

function Password() {
  const before = useSignal('');
  const after = useSignal('');
  const act = async () => {
    await post('password', { old: before.peek(), new: after.peek() });
    before.value = '';
    after.value = '';
    return say('net.account.changed');
  };
  return (
    <Form title={say('net.account.password')} button={say('net.account.password')} act={act}>
      <Field label={say('net.password.old')} value={before} kind="password" complete="current-password" />
      <Field label={say('net.password.new')} value={after} kind="password" complete="new-password" least={8} most={200} help={say('net.password.help')} />
    </Form>
  );
}

function Delete() {
  const password = useSignal('');
  const act = async () => {
    await post('delete-account', { password: password.peek() });
    me.value = null;
    await askMe();
    reopen();
    return say('net.account.deleted');
  };
  return (
    <details>
      <summary>{say('net.account.delete')}</summary>
      <Form title={say('net.account.delete')} button={say('net.account.delete.yes')} act={act}>
        <p>{say('net.account.delete.text')}</p>
        <Field label={say('net.password')} value={password} kind="password" complete="current-password" />
      </Form>
    </details>
  );
}

function Own() {
  const wrong = useSignal('');
  const { person, email } = me.value!;
  const out = async (path: 'logout' | 'logout-everywhere') => {
    try {
      await post(path);
      me.value = null;
      await askMe();
      reopen();
      said.value = say('net.account.out');
    } catch (error) {
      wrong.value = troubleText(error);
    }
  };
  const save = async () => {
    try {
      download(`merels-${person.name}.json`, new Blob([await getText('export')], { type: 'application/json' }));
    } catch (error) {
      wrong.value = troubleText(error);
    }
  };
  return (
    <>
      <p class="lead">
        {say('net.account.you', { name: person.name })}
        {email && ` · ${email}`}
      </p>
      <div class="row">
        <a class="button main" href={`/people/${encodeURIComponent(person.name)}`}>
          {say('net.account.profile')}
        </a>
        <button type="button" onClick={() => void out('logout')}>
          {say('net.account.logout')}
        </button>
        <button type="button" onClick={() => void out('logout-everywhere')}>
          {say('net.account.logout.all')}
        </button>
        <button type="button" onClick={() => void save()}>
          {say('net.account.export')}
        </button>
      </div>
      <p class="quiet bad" role="alert">
        {wrong.value}
      </p>
      <div class="account-forms">
        <Password />
      </div>
      <Delete />
    </>
  );
}

function Main() {
  useEffect(() => void load(), []);
  const now = me.value;
  const account = now !== null && now.person.kind !== 'guest';
  return (
    <div class="page wide account">
      <h1>{say('net.account')}</h1>
      <p class="said" role="status">
        {said.value}
      </p>
      {trouble.value !== '' && (
        <div role="alert">
          <p>{trouble.value}</p>
          <button type="button" onClick={() => void load()}>
            {say('app.notLoaded.again')}
          </button>
        </div>
      )}
      {account ? (
        <Own />
      ) : (
        now && (
          <>
            <p class="lead">{say('net.account.guest', { name: now.person.name })}</p>
            <div class="account-forms">
              <Register />
              <Login />
            </div>
          </>
        )
      )}
    </div>
  );
}

const page: Page = {
  enter: () => {
    said.value = '';
  },
  title: () => say('net.account'),
  Main,
};

export default page;
