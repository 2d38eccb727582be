/* The words of this room: codes, kinds, offers, phrases. */
#include <merels/play.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *mrl_play_code_name(enum mrl_play_code code)
{
	static const char *const names[] = {
#define ROW(name, code_name, sentence) code_name,
	    MRL_PLAY_CODE_TABLE(ROW)
#undef ROW
	};

	return (unsigned)code < COUNT(names) ? names[code] : "?";
}

const char *mrl_play_code_sentence(enum mrl_play_code code)
{
	static const char *const sentences[] = {
#define ROW(name, code_name, sentence) sentence,
	    MRL_PLAY_CODE_TABLE(ROW)
#undef ROW
	};

	return (unsigned)code < COUNT(sentences) ? sentences[code] : "?";
}

const char *mrl_play_kind_text(unsigned kind)
{
	static const char *const texts[] = {
#define ROW(name, text) text,
	    MRL_PLAY_KIND_TABLE(ROW)
#undef ROW
	};

	return kind < COUNT(texts) ? texts[kind] : "?";
}

const char *mrl_play_cause_text(unsigned cause)
{
	static const char *const texts[] = {
#define ROW(name, text) text,
	    MRL_PLAY_CAUSE_TABLE(ROW)
#undef ROW
	};

	return cause < COUNT(texts) ? texts[cause] : "?";
}

const char *mrl_play_offer_text(unsigned offer)
{
	static const char *const texts[] = {"draw", "takeback", "rematch"};

	return offer < COUNT(texts) ? texts[offer] : "?";
}

const char *mrl_play_room_text(unsigned room)
{
	static const char *const texts[] = {"players", "spectators"};

	return room < COUNT(texts) ? texts[room] : "?";
}

const char *mrl_play_player_kind_text(unsigned kind)
{
	static const char *const texts[] = {"empty", "guest", "account", "bot", "computer"};

	return kind < COUNT(texts) ? texts[kind] : "?";
}

const char *mrl_play_first_text(unsigned first)
{
	static const char *const texts[] = {"owner", "friend", "lots"};

	return first < COUNT(texts) ? texts[first] : "?";
}

const char *mrl_play_speed_text(enum mrl_play_speed speed)
{
	static const char *const texts[] = {"bullet", "blitz", "rapid", "slow"};

	return (unsigned)speed < COUNT(texts) ? texts[speed] : "?";
}

const char *mrl_play_phrase(unsigned number)
{
	static const char *const texts[] = {
#define ROW(phrase_number, text) text,
	    MRL_PLAY_PHRASE_TABLE(ROW)
#undef ROW
	};

	return number >= 1 && number <= COUNT(texts) ? texts[number - 1] : NULL;
}
