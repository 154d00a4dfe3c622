type Waiting = { answer: (isSignedIn: boolean) => void };

/** Whoever changes something grave is asked to sign in again: asked for here, and answered by the dialog that is shown. */
class SignInAgain {
  #waiting: Waiting | null = null;
  #listeners = new Set<() => void>();

  /** Resolves once the person has signed in, or would not. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting?.answer(false);
      this.#set({ answer: resolve });
    });
  }

  answer(isSignedIn: boolean): void {
    this.#waiting?.answer(isSignedIn);
    this.#set(null);
  }

  readonly isAsked = (): boolean => this.#waiting !== null;

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
