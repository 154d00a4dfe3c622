/** What is about to be done is grave, and the last sign-in too long ago; or the session has ended. */
export type SignInReason = 'recent' | 'ended';
type Waiting = { why: SignInReason; answer: (isSignedIn: boolean) => void };

/** Whoever changes something and has to sign in again for it is asked to: asked for here, and answered by the dialog that is shown. */
class SignInAgain {
  #waiting: Waiting | null = null;
  #listeners = new Set<() => void>();

  /** Resolves once the person has signed in, or would not. */
  ask(why: SignInReason): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting?.answer(false);
      this.#set({ why, answer: resolve });
    });
  }

  answer(isSignedIn: boolean): void {
    this.#waiting?.answer(isSignedIn);
    this.#set(null);
  }

  readonly asked = (): SignInReason | null => this.#waiting?.why ?? null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(waiting: Waiting | null): void {
    this.#waiting = waiting;
    for (const listener of this.#listeners) listener();
  }
}

export const signInAgain = new SignInAgain();
