/** A caller's rating of an answer. A call has one; a later rating replaces it. */
export type Feedback = {
  callId: string;
  organizationId: string;
  keyId: string;
  score: number;
  note: string | null;
  at: number;
};

/** Stores feedback. It is deleted with its call. */
export type FeedbackStore = {
  put(feedback: Feedback): Promise<void>;
  find(callId: string): Promise<Feedback | null>;
};
