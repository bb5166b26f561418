/* Two agents that may own a partition, and a bus that forgets: leases, the hand-over of the partition by its log, and the generation of the
 * bus. The program is agents/ and crawler/agent/, and doc/agents.md tells the same in words.
 *
 * One letter is on its way to the partition, from a sender that lives and has it in its store. The model leaves out what the simulated crawls
 * try (tests/agents/test_faulty_fleet): numbers of letters, several partitions, gifts, policies. An agent may sleep as long as it likes
 * between two of its steps, also for longer than its lease lasts; one agent may be gone for good, with its store; and the bus may once
 * go back to an earlier moment, in any order. spin tries all orders of all steps. What holds in all of them:
 *
 *   ONE    no two agents ask the partition's host at once, nor one before the host has rested
 *   KEPT   the letter can still come to the partition's owner: the sender will send it, the log has it for the next owner to read, or an
 *          owner who lives has it
 *
 * Each -DWITHOUT_... leaves a rule of the protocol out, and then one of the two does not hold: see tests/agents/model/check.sh. */

#define LEASE 2 /* ticks for which the other agent believes in a lease, from the moment in which it saw the news; */
#ifdef WITHOUT_MARGIN
#define SURE 4
#else
#define SURE 1  /* and for which the agent believes in it, from the moment in which it began to write them */
#endif
#define REST 1
#define OTHER (1 - me)

bool alive[2] = true; /* the process and its store are there */

/* --- the bus */
bool is_gone[2];      /* the news of an agent were written over by the other one, by compare-and-set */
bool is_unseen[2];    /* the other agent has not seen the last news */
byte owner;           /* by the table */
byte closed;          /* the agent that has added the last message to the log: another one's is refused */
bool has_letter;      /* the log */
byte generation;
bool went_back, is_noticed;

/* --- the agents */
byte sure[2] = SURE;  /* ticks for which the agent is still sure of its lease, */
byte patience[2] = LEASE; /* after which it counts the other one as lost, */
byte rest[2];         /* and for which the host rests by its knowledge */
bool owns[2];         /* by the table that the agent has read last */
bool is_read[2] = true; /* the partition's log, by its owner */
bool store[2];        /* the store has the letter, */
bool wrote[2];        /* and has written it into the log in this generation */
byte seen[2];         /* the generation that the agent knows */
bool asks[2];

/* --- the sender */
bool is_confirmed;
byte by;              /* the agent that has confirmed the letter, */
byte built;           /* and in which generation */

/* a letter is confirmed, by the news, when the log has it */
#ifdef WITHOUT_LOG
#define IN_ORDER (!is_gone[me])
#else
#define IN_ORDER (wrote[me] && (!is_gone[me] || LATE))
#endif
/* the log takes messages of the agent alone that has closed it */
#ifdef WITHOUT_CLOSING
#define IS_WRITER (alive[me])
#define LATE true
#else
#define IS_WRITER (IS_OWNER && closed == me)
#define LATE false
#endif
#define IS_OWNER (alive[me] && owns[me] && is_read[me] && seen[me] == generation)

#define WILL_SEND (!is_confirmed || went_back && !is_noticed || (is_gone[by] || !alive[by]) && WILL_REVOKE)
#ifdef WITHOUT_GENERATION
#define WILL_REVOKE false
#else
#define WILL_REVOKE (built != generation)
#endif
#define IN_LOG (has_letter && (!alive[owner] || is_gone[owner] || !is_read[owner] || store[owner]))
#define IN_STORE (alive[owner] && !is_gone[owner] && is_read[owner] && store[owner])
#define KEPT (WILL_SEND || IN_LOG || IN_STORE)

active [2] proctype agent()
{
	byte me = _pid;
	owns[me] = owner == me;
	do
	/* the news, which renew the lease: it counts from before they were sent, and they travel for as long as they like */
	:: atomic { alive[me] && !is_gone[me] && !is_unseen[me] -> is_unseen[me] = true;
		if
		:: sure[me] = SURE
		:: skip
		fi }
	:: atomic { alive[me] && is_gone[me] -> alive[me] = false; sure[me] = 0; asks[me] = false } /* the server has refused them */

	/* the other agent */
	:: atomic { alive[me] && is_unseen[OTHER] -> is_unseen[OTHER] = false; patience[me] = LEASE }
	:: atomic { alive[me] && sure[me] > 0 && patience[me] == 0 && !is_gone[OTHER] && !is_unseen[OTHER] -> is_gone[OTHER] = true }
	:: atomic { alive[me] && sure[me] > 0 && is_gone[OTHER] && owner == OTHER -> owner = me; owns[me] = true; is_read[me] = false; wrote[me] = false }
	:: atomic { alive[me] && owner == me && !is_read[me] && seen[me] == generation && sure[me] > 0 ->
#ifndef WITHOUT_CLOSING
		closed = me;
#endif
		store[me] = store[me] || has_letter; is_read[me] = true; rest[me] = REST }

	/* the bus has gone back: all begins anew, from the store */
	:: atomic { alive[me] && seen[me] != generation ->
		seen[me] = generation; wrote[me] = false; rest[me] = LEASE; asks[me] = false;
		if
		:: owner == me && is_read[me] -> closed = me
		:: else
		fi }

	/* the letter: taken, written into the log, confirmed */
	:: atomic { IS_OWNER && !is_confirmed && !store[me] -> store[me] = true }
	:: atomic { IS_WRITER && store[me] && !wrote[me] && seen[me] == generation -> has_letter = true; wrote[me] = true }
	:: atomic { alive[me] && store[me] && !is_confirmed && seen[me] == generation && IN_ORDER -> is_confirmed = true; by = me; built = seen[me] }

	/* a request, which is broken off with the end of the lease */
	:: atomic { IS_OWNER && sure[me] > 0 && store[me] && rest[me] == 0 && !asks[me] -> assert(!asks[OTHER]); asks[me] = true }
	:: atomic { asks[me] -> asks[me] = false; rest[me] = REST }
	od
}

#define LESS(x) x = (x > 0 -> x - 1 : 0)

/* Time, the sender and what goes wrong. Time passes at any moment, but not the end of a lease over a request: the fetchers look at the clock. */
active proctype world()
{
	bool has_killed;
	do
	:: atomic { (!asks[0] || sure[0] > 1) && (!asks[1] || sure[1] > 1) ->
		LESS(sure[0]); LESS(sure[1]); LESS(patience[0]); LESS(patience[1]); LESS(rest[0]); LESS(rest[1]) }
	/* the letter is due again if its receiver is gone, and has not said in this generation that the logs have all its letters */
	:: atomic { is_confirmed && (is_gone[by] || !alive[by]) && WILL_REVOKE && (is_noticed || !went_back) -> is_confirmed = false }
	:: atomic { !has_killed && alive[0] && alive[1] && !is_gone[1] -> has_killed = true; alive[0] = false; store[0] = false; sure[0] = 0; asks[0] = false }
	:: atomic { !went_back -> went_back = true; has_letter = false }
	:: atomic { went_back && !is_noticed -> is_noticed = true; generation = 1 }
	:: atomic { !KEPT -> assert(false) }
	od
}
